import { expect, test } from 'vitest'
import { cloneManyPublications } from '../../../../test/support/many/publications.ts'
import { explain, gatherStatistics, readWhole, visitedBy, watch } from '../../../../test/support/plans.ts'
import { openWorld, run } from '../../../../test/support/world.ts'
import { pagingOf } from '../../../platform/http/paging.ts'
import { listManaged } from './queries.ts'
import type { AdminQuery, Sort } from './schema.ts'
import { sorts } from './sorts.ts'

const many = await cloneManyPublications(200_000)
const { database } = many
const { pool } = await openWorld({ database })
await run(
  database.owner,
  `insert into publication_reports (id, publication_id, caller_key, day, closed_at)
   select md5(slug)::uuid, id, 'caller', current_date, case when slug like '%1777' then now() end
   from publications where right(slug, 3) = '777'`,
)
await gatherStatistics(database, ['publication_reports'])
const { db, statements } = watch(pool)

const type_id = '01998000-0000-7000-8000-000000000002'
const filters: AdminQuery[] = [
  {},
  { q: 'chataignes' },
  { q: 'fete pom' },
  { commune_id: many.bigCommune },
  { commune_id: many.smallCommune },
  { acteur_id: many.bigActeur },
  { acteur_id: many.smallActeur },
  { type_id: [type_id] },
  { moderation_status: ['pending'] },
  { moderation_status: ['rejected'] },
  { moderation_status: ['approved'] },
  { moderation_status: ['published'] },
  { valide: [true] },
  { valide: [false] },
  { deleted: 'true' },
  { deleted: 'only' },
  { reported: [true] },
  { reported: [false] },
  { en_avant: [true] },
  { en_avant: [false] },
  { duplicates: true },
  { moderation_status: ['pending', 'rejected'] },
  { moderation_status: ['approved', 'published'] },
  { type_id: [type_id, '01998000-0000-7000-8000-000000000005'] },
  { visible: [true] },
  { visible: [false] },
]
const pairs = filters.flatMap((one, index) => filters.slice(index + 1).map((other) => ({ ...one, ...other })))

test.each(process.env.PARVIS_TEST_LONG ? [...filters, ...pairs] : filters)(
  'the list goes by an index among 200 000, in each sort: %j',
  async (query) => {
    for (const sort of sorts) {
      const { rows, total } = await listManaged(db, { ...query, sort }, pagingOf({}, 25))
      expect(rows.length).toBeLessThanOrEqual(25)
      expect(total).toBeGreaterThanOrEqual(rows.length)
      const { whole, visited } = await look()
      expect(whole, sort).not.toContain('publications')
      // Never a walk along all of them; a third of these are duplicates, and PostgreSQL 15 gathers those first.
      if (!query.duplicates) expect(visited, sort).toBeLessThan(150_000)
    }
  },
  60_000,
)

test('a page far from the beginning picks ids by the index, and reads whole only its own rows', async () => {
  for (const sort of sorts) {
    for (const page of [100, 3_000]) {
      expect((await listManaged(db, { sort }, pagingOf({ page }, 25))).rows).toHaveLength(25)
      const { whole, visited } = await look()
      expect(whole).not.toContain('publications')
      expect(visited).toBeLessThan(6_000)
    }
  }
})

test('pages from the end hold what pages from the beginning would, to the last', async () => {
  for (const sort of sorts) {
    const query = { sort, commune_id: many.bigCommune, deleted: 'true' } as const
    const { total } = await listManaged(db, query, pagingOf({}, 100))
    const last = Math.ceil(total / 100)
    expect(last).toBeGreaterThan(100)
    const near = await listManaged(db, query, pagingOf({ page: last }, 100))
    expect(near.rows).toHaveLength(total - (last - 1) * 100)
    expect((await listManaged(db, query, pagingOf({ page: last + 1 }, 100))).rows).toEqual([])
    const before = await listManaged(db, query, pagingOf({ page: last - 1 }, 100))
    const opposite = sort.endsWith('_asc') ? sort.replace('_asc', '_desc') : sort.replace('_desc', '_asc')
    // What has no time comes last both ways: only the others stand the other way round.
    if (/publie_le|date_debut/.test(sort)) continue
    const other = await listManaged(db, { ...query, sort: opposite as Sort }, pagingOf({}, 100))
    const shown = [...before.rows, ...near.rows].map(({ id }) => id)
    expect(shown.toReversed().slice(0, 100)).toEqual(other.rows.map(({ id }) => id))
  }
  statements.length = 0
})

/**
 * Of the statements that were sent, the page and maybe its total: the tables they read whole, and the most rows that any step of
 * the page goes through, apart from those that stay within an index.
 */
async function look() {
  const sent = statements.splice(0)
  expect(sent.length).toBeLessThanOrEqual(2)
  const plans = []
  for (const statement of sent) plans.push({ statement, steps: await explain(pool, statement) })
  const page = plans.find(({ statement }) => statement.sql.includes('picked'))?.steps ?? []
  const visited = page.filter((step) => step['Node Type'] !== 'Index Only Scan').map(visitedBy)
  return { whole: plans.flatMap(({ steps }) => readWhole(steps)), visited: Math.max(...visited) }
}
