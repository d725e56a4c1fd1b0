import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { pagingOf } from '../../../platform/http/listing/paging.ts'
import { insertPublication, openAssociation } from '../publications.test-kit.ts'
import { listShown } from './queries.ts'

const world = await openWorld()
const { acteur, commune } = await openAssociation(world)

const day = (number: number) => `2026-10-${String(number).padStart(2, '0')}`
/** First and last day; featured and pinned ones have no priority in an agenda. */
const days: [number | null, number | null][] = [
  [9, null],
  [1, 20],
  [5, 5],
  [null, null],
  [10, 12],
  [1, 9],
  [5, 11],
  [20, null],
  [null, null],
]
const dates = days.map((pair) => pair.map((number) => (number === null ? null : day(number))))
const lastsMonths = ['2026-08-01', day(11)]
const made: { id: string; first: string | null; last: string | null }[] = []
for (const [index, [first = null, last = null]] of [...dates, lastsMonths].entries()) {
  const { id } = await insertPublication(world, {
    acteur_id: acteur.id,
    commune_id: commune.id,
    title: `Rendez-vous ${index}`,
    date_debut: first,
    date_fin: last,
    en_avant: index % 4 === 0,
    epingle: index % 3 === 0,
  })
  made.push({ id, first, last: last ?? first })
}
const byDay = made.toSorted((one, other) => {
  const key = ({ first, id }: (typeof made)[number]) => `${first ?? '9'} ${id}`
  return key(one) < key(other) ? -1 : 1
})

const lists = ['/publications', `/acteurs/${acteur.id}/publications`, `/communes/${commune.id}/publications`]

test.each(lists)(
  '%s?sort=date_debut_asc orders by first day, without a date last, page by page',
  async (path) => {
    const seen: string[] = []
    for (const page of [1, 2, 3]) {
      const { status, body } = await world.get(`${path}?sort=date_debut_asc&per_page=4&page=${page}`)
      expect(status).toBe(200)
      expect(body.meta).toEqual({ current_page: page, last_page: 3, per_page: 4, total: made.length })
      seen.push(...body.data.map(({ id }: { id: string }) => id))
    }
    expect(seen).toEqual(byDay.map(({ id }) => id))
  },
)

test.each(lists)('%s?date_fin_min returns what is not over, by its last or only day', async (path) => {
  for (let number = 1; number <= 21; number++) {
    const from = day(number)
    const { body } = await world.get(`${path}?sort=date_debut_asc&date_fin_min=${from}`)
    const expected = byDay.filter(({ last }) => last !== null && last >= from)
    expect(
      body.data.map(({ id }: { id: string }) => id),
      from,
    ).toEqual(expected.map(({ id }) => id))
    expect(body.meta.total).toBe(expected.length)
    // The default order has the same rows.
    expect((await world.get(`${path}?date_fin_min=${from}`)).body.meta.total).toBe(expected.length)
  }
})

test.each(lists)('%s?date_fin_min is paged across what is under way and what begins later', async (path) => {
  for (const number of [1, 6, 9, 11, 21]) {
    const expected = byDay.filter(({ last }) => last !== null && last >= day(number)).map(({ id }) => id)
    for (let page = 1; page <= 4; page++) {
      const query = `sort=date_debut_asc&date_fin_min=${day(number)}&per_page=2&page=${page}`
      const { data, meta } = (await world.get(`${path}?${query}`)).body
      expect(data.map(({ id }: { id: string }) => id)).toEqual(expected.slice(2 * page - 2, 2 * page))
      expect(meta.total).toBe(expected.length)
    }
  }
})

test('an agenda supports the other filters too', async () => {
  const query = `sort=date_debut_asc&date_fin_min=${day(9)}&date_debut_max=${day(9)}&q=rendez-vous`
  const { body } = await world.get(`/publications?${query}`)
  const expected = byDay.filter(({ first, last }) => first && last && last >= day(9) && first <= day(9))
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual(expected.map(({ id }) => id))
})

test.each(['sort=date_debut_desc', 'sort=newest', 'date_fin_min=demain'])(
  'a public list returns 422: %s',
  async (query) => {
    for (const path of lists) expect(await world.get(`${path}?${query}`)).toBeError(422, 'validation_failed')
  },
)

test('what is hidden between the two statements of a page is left out', async () => {
  const hidden = made[0]?.id ?? ''
  const hide = () => world.db.updateTable('publications').set({ valide: false }).where('id', '=', hidden)
  const hiding = world.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if ('publication_id' in (result.rows[0] ?? {})) await hide().execute()
      return result
    },
  })
  const filters = { sort: 'date_debut_asc' as const, date_debut_min: day(1), date_debut_max: day(31) }
  const list = { filters, communeIds: null, comesFirst: sql<boolean>`false` }
  const read = async (db: Database) => (await listShown(db, list, pagingOf({}, 20))).rows.map(({ id }) => id)
  const before = await read(world.db)
  expect(before).toContain(hidden)
  expect(await read(hiding)).toEqual(before.filter((id) => id !== hidden))
})
