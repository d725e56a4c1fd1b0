import { sql } from 'kysely'
import Type from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../../../../test/support/world.ts'
import { defineJob } from '../../jobs/job.ts'
import { createJobs } from '../../jobs/jobs.ts'
import { connect } from '../connect.ts'
import { poolOf, usualPools } from './pools.ts'

const log = { warn: () => {}, error: () => {} }

async function open() {
  const database = await cloneDatabase()
  const { close, ...opened } = connect(database.service, log, { timeoutMs: 30_000 })
  onTestFinished(close)
  return opened
}

test.each([
  ['reads', 'select "id" from "communes" where "slug" = $1'],
  ['reads', 'select "code" from "app_sources" where "code" in ($1, $2)'],
  ['reads', 'select "updated_at", (select count(*) from x where y = c.id) from "c" where "id" = $1'],
  ['reads', '\n  with held as (select 1) select * from held'],
  ['reads', 'start transaction isolation level repeatable read read only'],
  ['lists', 'select "id" from "communes" order by "nom" limit $1 offset $2'],
  ['lists', 'select count(*) as "total" from "audit_log"'],
  ['lists', 'select (select count(*) from publications) as all'],
  ['lists', "select id from acteurs where search_text like '% ' || search_key($1) || '%'"],
  ['lists', "select id from claims where search @@ to_tsquery('simple', $1)"],
  ['writes', 'begin'],
  ['writes', 'start transaction isolation level repeatable read'],
  ['writes', 'insert into "users" ("id") values ($1)'],
  ['writes', 'update "users" set "last_seen_at" = now() where "id" = $1'],
  ['writes', 'delete from claims where id = any(array(select id from claims order by ended_at limit $1))'],
  ['writes', 'with gone as (delete from x returning id) select * from gone'],
  ['writes', 'with moved as (update x set a = 1 returning id) select count(*) from moved limit $1'],
])('%s: %s', (pool, text) => {
  expect(poolOf(text)).toBe(pool)
})

test('an instance has fifteen connections at most', () => {
  const sizes = Object.values(usualPools).map(({ max }) => max)
  expect(sizes.reduce((sum, max) => sum + max)).toBe(15)
  expect(usualPools.lists.max).toBeLessThanOrEqual(4)
})

test('each statement goes to its pool, and a transaction stays where it began', async () => {
  const { db, pools } = await open()
  const pidOf = async (on: typeof db, about = sql``) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid ${about}`.execute(on)).rows[0]?.pid
  const inTransaction = await db.transaction().execute(async (tx) => {
    const pids = [await pidOf(tx), await pidOf(tx, sql`limit ${1}`)]
    await sql`insert into app_sources (code, label) values ('x', 'x')`.execute(tx)
    return new Set(pids)
  })
  expect(inTransaction.size).toBe(1)
  expect(counts(pools)).toEqual({ ...none, writes: 1 })
  const [read, list] = [await pidOf(db), await pidOf(db, sql`limit ${1}`)]
  expect(counts(pools)).toEqual({ ...none, reads: 1, lists: 1, writes: 1 })
  expect(new Set([read, list, ...inTransaction]).size).toBe(3)
  await db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => expect(await pidOf(tx)).toBe(read))
  await sql`update app_sources set active = true where code = ${'x'}`.execute(db)
  expect(counts(pools)).toEqual({ ...none, reads: 1, lists: 1, writes: 1 })
})

const none = { reads: 0, lists: 0, writes: 0, jobs: 0, counters: 0, health: 0 }
const counts = (pools: Awaited<ReturnType<typeof open>>['pools']) =>
  Object.fromEntries(Object.entries(pools).map(([name, { totalCount }]) => [name, totalCount]))

test('transactions holding all write connections can still enqueue jobs, even in a new queue', async () => {
  const { db, pools } = await open()
  const jobs = createJobs({ db, pool: pools.jobs, log })
  onTestFinished(() => jobs.stop())
  const job = defineJob('test.held', Type.Object({ n: Type.Integer() }))
  const all = Promise.withResolvers<void>()
  let holding = 0
  const ids = Array.from({ length: usualPools.writes.max }, (_, n) =>
    db.transaction().execute(async (tx) => {
      if (++holding === usualPools.writes.max) all.resolve()
      await all.promise
      return jobs.enqueue(tx, job, { n })
    }),
  )
  for (const id of ids) expect(await id).toEqual(expect.any(String))
})
