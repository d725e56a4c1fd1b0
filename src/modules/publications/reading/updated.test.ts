import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { writeCursor } from '../../../platform/http/listing/cursor.ts'
import { insertPublication } from '../publications.test-kit.ts'

const world = await openWorld()
const { db, get, client, acteur, commune } = world
const [town, other] = [await commune(), await commune()]
const club = await acteur({ commune_id: town.id })
const type_id = '01998000-0000-7000-8000-000000000002'
await db
  .insertInto('app_sources')
  .values({ code: 'restricted', label: 'One town', commune_ids: [town.id] })
  .execute()
const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 0, minute))

/** Nine visible publications, three of them changed at the same moment, and one that is hidden. */
const ids: string[] = []
for (let n = 0; n < 9; n++) {
  const values = {
    updated_at: at(n < 3 ? 0 : n),
    publie_le: at(-n),
    commune_id: n % 2 === 0 ? town.id : other.id,
    acteur_id: n % 3 === 0 ? club.id : null,
    type_id: n % 4 === 0 ? type_id : null,
  }
  ids.push((await insertPublication(world, values)).id)
}
await insertPublication(world, { updated_at: at(1), valide: false })
const numbers = Array.from({ length: 9 }, (_, n) => n)
const beginning = '2000-01-01T00:00:00Z'

type Reader = Pick<ReturnType<typeof client>, 'get'>

async function walk(path: string, reader: Reader = { get }, from = '') {
  const seen: number[] = []
  for (let after = from; ; ) {
    const { status, body } = await reader.get(`${path}${after}`)
    expect(status).toBe(200)
    expect(body.meta.per_page).toBe(2)
    seen.push(...body.data.map(({ id }: { id: string }) => ids.indexOf(id)))
    if (body.meta.next === null) return seen
    expect(body.data).toHaveLength(2)
    after = `&after=${body.meta.next}`
  }
}

test.each([
  ['/publications', numbers],
  [`/communes/${town.id}/publications`, [0, 2, 4, 6, 8]],
  [`/acteurs/${club.id}/publications`, [0, 3, 6]],
])('GET %s returns 200 with all of updated_since, each once, oldest change first', async (path, expected) => {
  expect(await walk(`${path}?per_page=2&updated_since=${beginning}`)).toEqual(expected)
  const { body } = await get(`${path}?updated_since=${at(8).toISOString()}`)
  expect(body.meta.total).toBe(expected.length)
  const since = `per_page=2&updated_since=${at(4).toISOString()}`
  expect(await walk(`${path}?${since}`)).toEqual(expected.filter((n) => n >= 4))
})

test.each([
  [`type_id=${type_id}`, [0, 4, 8]],
  [`commune_id=${other.id}&type_id=${type_id}`, []],
  [`commune_id=${town.id}&acteur_id=${club.id}`, [0, 6]],
])('GET /publications?updated_since can be paged by cursor with the filter %s', async (filter, expected) => {
  expect(await walk(`/publications?per_page=2&updated_since=${beginning}&${filter}`)).toEqual(expected)
})

test('GET /publications?updated_since is limited to the communes of a restricted application', async () => {
  const restricted = client({ source: 'restricted' })
  const path = `/publications?per_page=2&updated_since=${beginning}`
  expect(await walk(path, restricted)).toEqual([0, 2, 4, 6, 8])
  expect(await walk(`${path}&commune_id=${other.id}`, restricted)).toEqual([])
})

test('the cursor is enough to continue; records changed meanwhile appear again at the end', async () => {
  const first = await get(`/publications?per_page=2&updated_since=${beginning}`)
  await db
    .updateTable('publications')
    .set({ title: 'Autre' })
    .where('id', '=', ids[0] ?? '')
    .execute()
  const rest = await walk('/publications?per_page=2', { get }, `&after=${first.body.meta.next}`)
  expect(rest).toEqual([2, 3, 4, 5, 6, 7, 8, 0])
})

const cursor = writeCursor({ at: at(0).toISOString(), id: uuidv7() })

test.each([
  ['updated_since=yesterday', 'updated_since'],
  ['updated_since=2026-02-31T00:00:00Z', 'updated_since'],
  ['updated_since=2026-11-20T08:30:00-16:00', 'updated_since'],
  ['after=nonsense', 'after'],
  [`after=${writeCursor({ at: at(0).toISOString(), id: '12' })}`, 'after'],
  [`after=${cursor}&page=2`, 'page'],
  [`after=${cursor}&q=fête`, 'q'],
  [`after=${cursor}&sort=date_debut_asc`, 'sort'],
  [`after=${cursor}&date_debut_min=2026-11-20`, 'date_debut_min'],
])('GET /publications returns 422 for %s', async (query, field) => {
  const answer = await get(`/publications?${query}`)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details[0].field).toBe(field)
})

test('GET with updated_since returns 404 for an acteur or a commune that is not public', async () => {
  for (const kind of ['acteurs', 'communes'])
    expect(await get(`/${kind}/${uuidv7()}/publications?after=${cursor}`)).toBeError(404, 'not_found')
})

test('GET /communes returns 200 with everything updated_since, once each, oldest change first', async () => {
  const made: string[] = []
  for (let n = 0; n < 5; n++)
    made.push((await commune({ departement: '48', updated_at: at(n < 2 ? 0 : n) })).id)
  const seen: string[] = []
  for (let after = `updated_since=${beginning}`; ; ) {
    const { status, body } = await get(`/communes?per_page=2&departement=48&${after}`)
    expect(status).toBe(200)
    expect(body.meta.per_page).toBe(2)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    if (body.meta.next === null) break
    after = `after=${body.meta.next}`
  }
  expect(seen).toEqual(made)
  for (const [query, field] of [
    ['page=1', 'page'],
    ['q=aval', 'q'],
  ]) {
    const answer = await get(`/communes?updated_since=${beginning}&${query}`)
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details[0].field).toBe(field)
  }
})
