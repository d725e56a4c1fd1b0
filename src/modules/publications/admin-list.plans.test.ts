import { Kysely, PostgresDialect } from 'kysely'
import { expect, test } from 'vitest'
import { insertManyPublications } from '../../../test/harness/many-publications.ts'
import { openWorld, run } from '../../../test/harness/world.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { pagingOf } from '../../platform/http/paging.ts'
import { countManaged, listManaged } from './queries.admin.ts'
import { type AdminQuery, sorts } from './schema.admin.ts'

const { pool, database } = await openWorld()
const many = await insertManyPublications({ database }, 200_000)
await run(
  database.owner,
  `insert into publication_reports (id, publication_id, caller_key, day, closed_at)
   select gen_random_uuid(), id, 'caller', current_date, case when row_number() over () % 2 = 0 then now() end
   from publications where right(slug, 3) = '777';
   analyze publication_reports`,
)
const statements: { sql: string; parameters: readonly unknown[] }[] = []
const db = new Kysely<DB>({
  dialect: new PostgresDialect({ pool }),
  log: ({ query: { sql, parameters } }) => void statements.push({ sql, parameters }),
})

const type_id = '01998000-0000-7000-8000-000000000002'
const filters: AdminQuery[] = [
  {},
  { q: 'chataignes' },
  { q: 'fete pom' },
  { commune_id: many.bigCommune },
  { commune_id: many.smallCommune },
  { acteur_id: many.bigActeur },
  { acteur_id: many.smallActeur },
  { type_id },
  { moderation_status: 'pending' },
  { moderation_status: 'rejected' },
  { moderation_status: 'approved' },
  { moderation_status: 'published' },
  { valide: true },
  { valide: false },
  { deleted: 'true' },
  { deleted: 'only' },
  { reported: true },
  { reported: false },
  { en_avant: true },
  { en_avant: false },
  { duplicates: true },
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
      const { relations, visited } = await explain()
      expect(relations, sort).not.toContain('Seq Scan publications')
      // Never a walk along all of them; a third of these are duplicates, and PostgreSQL 15 gathers those first.
      if (!query.duplicates) expect(visited, sort).toBeLessThan(150_000)
    }
    statements.length = 0
    const total = await countManaged(db, query)
    expect(total).toBeGreaterThanOrEqual(0)
    expect((await explain()).relations).not.toContain('Seq Scan publications')
  },
  60_000,
)

test('a page far from the beginning picks ids by the index, and reads whole only its own rows', async () => {
  for (const sort of sorts) {
    statements.length = 0
    expect(await listManaged(db, { sort }, deep)).toHaveLength(25)
    const { relations, visited } = await explain()
    expect(relations).not.toContain('Seq Scan publications')
    expect(visited).toBeLessThan(6_000)
  }
})

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/**
 * Of the one statement that was sent: which relations are read how, and the most rows that any step goes through,
 * apart from those that stay within an index.
 */
async function explain() {
  const [{ sql, parameters } = { sql: '', parameters: [] }, ...more] = statements
  expect(more).toEqual([])
  const { rows } = await pool.query(`explain (analyze, format json) ${sql}`, [...parameters])
  const nodes = flatten(rows[0]['QUERY PLAN'][0].Plan)
  const relations = nodes.map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`)
  const visited = nodes
    .filter((node) => node['Node Type'] !== 'Index Only Scan')
    .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'])
  return { relations, visited: Math.max(...visited) }
}

const flatten = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)]
