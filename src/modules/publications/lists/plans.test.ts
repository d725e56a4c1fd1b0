import { expect, test } from 'vitest'
import { cloneManyPublications, manyRows } from '../../../../test/support/many/publications.ts'
import {
  explain,
  gatherStatistics,
  readWhole,
  type Step,
  visitedBy,
  watch,
} from '../../../../test/support/plans.ts'
import type { Statement } from '../../../../test/support/statements.ts'
import { openWorld, run } from '../../../../test/support/world.ts'
import { pagingOf } from '../../../platform/http/listing/paging.ts'
import { listManaged } from './queries.ts'
import type { AdminQuery } from './schema.ts'
import { sorts } from './sorts.ts'

const many = await cloneManyPublications(manyRows)
const { database } = many
const { pool } = await openWorld({ database })
await run(
  database.owner,
  `insert into publication_reports (id, publication_id, caller_key, day, closed_at, created_at)
   select md5(slug)::uuid, id, 'caller', current_date, case when slug like '%1777' then now() end, created_at
   from publications where right(slug, 2) = '77'`,
)
await run(
  database.owner,
  `insert into distinct_publications (publication_id, decision_id)
   select id, md5(duplicate_key)::uuid from publications where duplicate_key like 'u:0%'`,
)
await gatherStatistics(database, ['publication_reports', 'distinct_publications'])
const { db, statements } = watch(pool)
const explained = new Map<string, Step[]>()

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
  { duplicates: true, unsettled: true },
  { duplicate_key: `u:${'0'.repeat(31)}7` },
  { since: '2026-11-01T00:00:00Z', until: '2026-11-02T00:00:00Z' },
  { created_by: '0199c9a3-bbbb-7000-8000-000000000005' },
  { source_id: '0199c9a3-bbbb-7000-8000-000000000005' },
  { category: ['spam'] },
  { moderation_status: ['pending', 'rejected'] },
  { moderation_status: ['approved', 'published'] },
  { type_id: [type_id, '01998000-0000-7000-8000-000000000005'] },
  { visible: [true] },
  { visible: [false] },
  { hidden_because: ['no_time'], moderation_status: ['approved'] },
  { hidden_because: ['not_yet', 'acteur_inactive', 'acteur_deleted'] },
]
// Unsettled duplicates are read whole, each compared with its group; they are few.
const pairable = filters.filter(({ unsettled }) => unsettled === undefined)
const pairs = pairable.flatMap((one, index) =>
  pairable.slice(index + 1).map((other) => ({ ...one, ...other })),
)

test.each(process.env.PARVIS_TEST_LONG ? [...filters, ...pairs] : filters)(
  'the list uses an index among many rows, in each sort: %j',
  async (query) => {
    for (const sort of [...sorts, 'oldest_report_asc'] as const) {
      if (query.duplicates && sort === 'oldest_report_asc') continue
      const { rows, total } = await listManaged(db, { ...query, sort }, pagingOf({}, 25))
      expect(rows.length).toBeLessThanOrEqual(25)
      expect(total).toBeGreaterThanOrEqual(rows.length)
      const { whole, visited } = await look()
      expect(whole, sort).not.toContain('publications')
      // Never a full scan.
      expect(visited, sort).toBeLessThan(0.75 * manyRows)
    }
  },
)

test('the longest reported come from the index of reports', async () => {
  const query: AdminQuery = { reported: [true], sort: 'oldest_report_asc' }
  const { rows } = await listManaged(db, query, pagingOf({}, 10))
  expect(rows).toHaveLength(10)
  expect((await look()).visited).toBeLessThan(50)
})

/** Pages end with row 50 000. */
const farPage = 40_000 / 25

test('a distant page picks ids from the index and reads only its own rows', async () => {
  for (const sort of sorts) {
    for (const page of [100, farPage]) {
      expect((await listManaged(db, { sort }, pagingOf({ page }, 25))).rows).toHaveLength(25)
      const { whole, visited } = await look()
      expect(whole).not.toContain('publications')
      expect(visited).toBeLessThan(6_000)
    }
  }
})

test('a cursor far in costs what the first page costs', async () => {
  for (const sort of [...sorts, 'oldest_report_asc'] as const) {
    for (const query of [{ sort }, { sort, deleted: 'true' as const }]) {
      await listManaged(db, query, pagingOf({}, 25))
      const { buffers: first } = await look()
      const { next } = await listManaged(db, query, pagingOf({ page: farPage }, 25))
      statements.length = 0
      const deep = await listManaged(db, query, pagingOf({ after: next ?? '' }, 25))
      expect(deep.rows, sort).toHaveLength(25)
      const { whole, visited, buffers } = await look()
      expect(whole, sort).not.toContain('publications')
      if (sort === 'oldest_report_asc') continue
      expect(visited, sort).toBeLessThan(1_000)
      expect(buffers, sort).toBeLessThan(2 * first + 100)
    }
  }
})

/**
 * Of the statements sent (the picked ids, their rows, the total): tables scanned fully, and the most rows any step of
 * the picking visits outside an index.
 */
async function look() {
  const sent = statements.splice(0).filter(({ sql }) => !sql.trimStart().startsWith('explain'))
  expect(sent.length).toBeLessThanOrEqual(3)
  const plans = []
  for (const statement of sent) plans.push({ statement, steps: await explainOnce(statement) })
  const page = plans.find(({ statement }) => statement.sql.includes('sort_values'))?.steps ?? []
  const visited = page.filter((step) => step['Node Type'] !== 'Index Only Scan').map(visitedBy)
  const [root] = page
  const buffers = (root?.['Shared Hit Blocks'] ?? 0) + (root?.['Shared Read Blocks'] ?? 0)
  // A scan for the total ends where counting stops.
  const whole = plans.flatMap(({ statement, steps }) =>
    readWhole(
      statement.sql.includes('as total') ? steps.filter((step) => visitedBy(step) > 0.75 * manyRows) : steps,
    ),
  )
  return { whole, visited: Math.max(...visited), buffers }
}

/** The total of a filter is the same statement in each sort. */
async function explainOnce(statement: Statement): Promise<Step[]> {
  const key = JSON.stringify([statement.sql, statement.parameters])
  const steps = explained.get(key) ?? (await explain(pool, statement))
  explained.set(key, steps)
  return steps
}

test('counts up to 50 000 exactly, and refuses a page behind these, where a cursor goes on', async () => {
  const exact = await listManaged(db, { moderation_status: ['pending'] }, pagingOf({}, 25))
  expect(exact.isAtLeast).toBeUndefined()
  expect(exact.total).toBe(Math.floor(manyRows / 19) - Math.floor(manyRows / (19 * 53)))
  for (const sort of ['created_at_desc', 'titre_asc', 'oldest_report_asc'] as const) {
    const last = await listManaged(db, { sort }, pagingOf({ page: 2_000 }, 25))
    expect(last).toMatchObject({ total: 50_000, isAtLeast: true })
    expect(last.rows).toHaveLength(25)
    await expect(listManaged(db, { sort }, pagingOf({ page: 2_001 }, 25))).rejects.toThrow('not valid')
    const next = await listManaged(db, { sort }, pagingOf({ after: last.next ?? '' }, 25))
    expect(next.rows).toHaveLength(25)
  }
  const past = await listManaged(db, { moderation_status: ['pending'] }, pagingOf({ page: 9_000 }, 25))
  expect(past).toMatchObject({ rows: [], total: exact.total })
})

test('few matches in a large commune are looked up to count them, not again to sort them', async () => {
  const query: AdminQuery = {
    commune_id: many.bigCommune,
    type_id: [type_id],
    visible: [true],
    sort: 'titre_asc',
  }
  statements.length = 0
  const { total = 0 } = await listManaged(db, query, pagingOf({}, 25))
  expect(total).toBeGreaterThan(25)
  const [page] = statements.splice(0).filter((statement) => statement.sql.includes('sort_values'))
  const steps = page === undefined ? [] : await explain(pool, page)
  const lookups = steps.filter((step) => step['Relation Name'] === 'publications').map(visitedBy)
  expect(lookups).toEqual([total])
})
