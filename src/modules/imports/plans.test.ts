import { expect, test } from 'vitest'
import { explain, gatherStatistics, readWhole, visitedBy, watch } from '../../../test/support/plans.ts'
import { openWorld, run } from '../../../test/support/world.ts'
import { type List, readList } from '../../platform/http/listing/list.ts'
import { adminPerPage, pagingOf } from '../../platform/http/listing/paging.ts'
import { type AllRunsQuery, allRunsList, runItems } from './all-runs.ts'

import { listRunsOfDay, type RunsQuery, runsList } from './history.ts'

import { deleteOldRuns } from './retention.ts'
import { listEarlierDigests, listKeysElsewhere, listLinks, listLinksOfAnyHour } from './run/queries.ts'
import { findDue, listSilentRuns } from './schedule.ts'
import { sourcesList } from './sources/queries.ts'
import type { SourcesQuery } from './sources/schema.ts'

const { pool, database } = await openWorld()
const { db, statements } = watch(pool)
const id = (kind: string, n: string | number) =>
  `('0199c9a3-${kind}-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
const sourceId = '0199c9a3-aaaa-7000-8000-000000000005'

// Ten thousand sources; one has run every few minutes for half a year and brought most of the items.
await run(
  database.owner,
  `insert into acteurs (id, slug, nom, type) select ${id('cccc', 'n')}, 'a-' || n, 'Acteur ' || n, 'association' from generate_series(1, 100) n;
   insert into import_sources (id, nom, type, url, acteur_id, cron, next_run_at, actif)
   select ${id('aaaa', 'n')}, 'Source ' || md5(n::text), case when n % 500 = 0 then 'ics' else 'rss' end, 'https://x.example/',
     ${id('cccc', '1 + n % 100')}, '0 6 * * *', case when n % 300 <> 0 then now() + n * interval '1 minute' - interval '5 minutes' end, n % 300 <> 0
   from generate_series(1, 10000) n;
   insert into import_runs (id, source_id, dry_run, status, started_at, finished_at)
   select ${id('bbbb', 'n')}, case when n % 2 = 0 then '${sourceId}'::uuid else ${id('aaaa', '1 + n % 10000')} end, n % 10 = 4,
     case when n % 100 = 0 then 'failed' else 'succeeded' end, now() - n * interval '5 minutes', now() - n * interval '5 minutes'
   from generate_series(1, 60000) n;
   insert into import_runs (id, source_id, dry_run, status, alive_at) select ${id('bbbb', '100000 + n')}, ${id('aaaa', 'n + 100')}, false, 'running', now() - n * interval '1 minute'
   from generate_series(1, 30) n;
   insert into publications (id, slug, title, body, duplicate_key)
   select ${id('dddd', 'n')}, 'x', 'x', 'x', 's:' || md5((n / 2)::text) from generate_series(1, 30000) n;
   insert into import_items (source_id, external_id, publication_id, said, run_id, action)
   select '${sourceId}'::uuid, n, ${id('dddd', 'n')}, '{"title": "t"}', ${id('bbbb', 1)}, 'created' from generate_series(1, 29000) n;
   update import_items set external_id = 'fete-' || external_id || ' 2026-12-01T19:00:00' where external_id::int % 20 = 0;`,
)
await gatherStatistics(database, ['import_sources', 'import_runs', 'import_items', 'publications', 'acteurs'])
const paging = pagingOf({}, adminPerPage)

test.each<SourcesQuery>([
  {},
  { ids: [sourceId] },
  { q: 'source a0' },
  { q: 'nowhere' },
  { type: ['ics'] },
  { type: ['ics', 'csv'] },
  { actif: [false] },
  { acteur_id: '0199c9a3-cccc-7000-8000-000000000005' },
  { sort: 'created_at_asc' },
  { sort: 'nom_asc' },
  { sort: 'nom_desc' },
])('a page of sources goes by an index, in one statement: %j', async (query) => {
  await readPage(sourcesList, query)
})

test.each<RunsQuery>([
  {},
  { page: 400 },
  { status: ['failed'] },
  { status: ['queued', 'running'] },
  { dry_run: [true] },
  { sort: 'started_at_asc' },
])('a page of runs goes by an index, in one statement: %j', async (query) => {
  await readPage(runsList, { ...query, source_id: sourceId })
})

test.each<AllRunsQuery>([
  {},
  { page: 400 },
  { source_id: sourceId },
  { status: ['failed'] },
  { status: ['queued', 'running'] },
  { dry_run: [true] },
  { held: true },
  { since: '2020-01-01T00:00:00Z', until: '2020-02-01T00:00:00Z' },
  { sort: 'started_at_asc' },
])('a page of the runs of all sources goes by an index, in one statement: %j', async (query) => {
  await readPage(allRunsList(query), query, 65_000)
})

test('a page of the items of a run reads only this run', async () => {
  const [runId] = (await readList(db, allRunsList({}), { status: ['failed'] }, paging)).rows.map(
    (row) => row.id,
  )
  await run(
    database.owner,
    `insert into import_run_items (id, run_id, position, action, publication_id)
     select ${id('eeee', 'n')}, '${runId}', n - 1, case when n % 2 = 0 then 'created' else 'rejected' end, ${id('dddd', 'n')}
     from generate_series(1, 1000) n`,
  )
  await gatherStatistics(database, ['import_run_items'])
  const { rows, total } = await readPage(runItems, { run_id: runId ?? '', action: ['created'] }, 3_000)
  expect(rows.length).toBeGreaterThan(20)
  expect(total).toBe(500)
})

test('finds the runs of a day among those of years', async () => {
  statements.length = 0
  expect(
    (await listRunsOfDay(db, sourceId, new Date(Date.now() - 86_400_000 * 3).toISOString().slice(0, 10)))
      .length,
  ).toBeGreaterThan(100)
  await expectIndexed(1_000)
})

test('finds due, silent or old sources without reading the others', async () => {
  for (const find of [
    () => findDue(db, new Date()),
    () => listSilentRuns(db),
    () => deleteOldRuns(db, 6, 500),
  ]) {
    statements.length = 0
    await find()
    await expectIndexed(3_000)
  }
})

test('looks up the items of a batch and their duplicates by key only', async () => {
  statements.length = 0
  const ids = Array.from({ length: 200 }, (_, n) => String(n * 100 + 1))
  expect(await listLinks(db, sourceId, ids)).toHaveLength(200)
  await expectIndexed(1_000)
  statements.length = 0
  const { rows } = await pool.query(
    `select 's:' || md5((n * 100)::text) as key from generate_series(1, 149) n`,
  )
  const keys = rows.map(({ key }) => key)
  expect((await listKeysElsewhere(db, sourceId, keys)).size).toBeGreaterThan(0)
  await expectIndexed(3_000)
  statements.length = 0
  expect(await listEarlierDigests(db, sourceId, { keys, titles: ['t'] })).not.toEqual([])
  await expectIndexed(3_000)
})

test('occurrences of a day with any hour are found by an index among many items', async () => {
  const days = Array.from({ length: 100 }, (_, n) => `fete-${20 * n + 20} 2026-12-01`)
  statements.length = 0
  expect(await listLinksOfAnyHour(db, sourceId, [...days, '7'])).toHaveLength(101)
  await expectIndexed(1_000)
})

/** Reads a page, expects it to use an index, and counts the list. */
async function readPage<Query extends object, Row extends object>(
  list: List<Query, Row>,
  query: Query,
  most?: number,
) {
  statements.length = 0
  const at = pagingOf(query, adminPerPage)
  const { rows } = await readList(db, list, query, { ...at, isCounted: false })
  await expectIndexed(most)
  const { total } = await readList(db, list, query, at)
  expect(total).toBeGreaterThanOrEqual(rows.length)
  return { rows, total }
}

async function expectIndexed(most = 35_000): Promise<void> {
  const [statement = { sql: '', parameters: [] }] = statements
  const steps = await explain(pool, statement)
  expect(readWhole(steps)).toEqual([])
  expect(Math.max(...steps.map(visitedBy))).toBeLessThan(most)
}
