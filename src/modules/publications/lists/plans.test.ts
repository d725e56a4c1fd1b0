import { expect, test } from 'vitest'
import { insertManyPublications } from '../../../../test/support/many-publications.ts'
import { explain, gatherStatistics, readWhole, visitedBy, watch } from '../../../../test/support/plans.ts'
import { openWorld, run } from '../../../../test/support/world.ts'
import { pagingOf } from '../../../platform/http/paging.ts'
import { countManaged, listManaged } from './queries.ts'
import type { AdminQuery } from './schema.ts'
import { sorts } from './sorts.ts'

const { pool, database } = await openWorld()
const many = await insertManyPublications({ database }, 200_000)
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
const deep = pagingOf({ page: 100 }, 25)

test.each(process.env.PARVIS_TEST_LONG ? [...filters, ...pairs] : filters)(
  'the list goes by an index among 200 000, in each sort: %j',
  async (query) => {
    for (const sort of sorts) {
      statements.length = 0
      const rows = await listManaged(db, { ...query, sort }, pagingOf({}, 25))
      expect(rows.length).toBeLessThanOrEqual(25)
      const { whole, visited } = await look()
      expect(whole, sort).not.toContain('publications')
      // Never a walk along all of them; a third of these are duplicates, and PostgreSQL 15 gathers those first.
      if (!query.duplicates) expect(visited, sort).toBeLessThan(150_000)
    }
    statements.length = 0
    const total = await countManaged(db, query)
    expect(total).toBeGreaterThanOrEqual(0)
    expect((await look()).whole).not.toContain('publications')
  },
  60_000,
)

test('a page far from the beginning picks ids by the index, and reads whole only its own rows', async () => {
  for (const sort of sorts) {
    statements.length = 0
    expect(await listManaged(db, { sort }, deep)).toHaveLength(25)
    const { whole, visited } = await look()
    expect(whole).not.toContain('publications')
    expect(visited).toBeLessThan(6_000)
  }
})

/**
 * Of the one statement that was sent: the tables it reads whole, and the most rows that any step goes through, apart
 * from those that stay within an index.
 */
async function look() {
  expect(statements).toHaveLength(1)
  const [statement = { sql: '', parameters: [] }] = statements
  const steps = await explain(pool, statement)
  const visited = steps.filter((step) => step['Node Type'] !== 'Index Only Scan').map(visitedBy)
  return { whole: readWhole(steps), visited: Math.max(...visited) }
}
