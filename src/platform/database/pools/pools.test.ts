import { AbortedTransactionError, sql } from 'kysely'
import Type from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../../../../test/support/world.ts'
import { defineJob } from '../../jobs/job.ts'
import { createJobs } from '../../jobs/jobs.ts'
import { connect } from '../connect.ts'
import { defaultPools } from './pools.ts'
import { prepared, unprepared } from './prepared.ts'

const log = { warn: () => {}, error: () => {} }

async function open() {
  const database = await cloneDatabase()
  const { close, ...opened } = connect(database.service, log, { timeoutMs: 30_000 })
  onTestFinished(close)
  return opened
}

test('an instance has fifteen connections at most', () => {
  const sizes = Object.values(defaultPools).map(({ max }) => max)
  expect(sizes.reduce((sum, max) => sum + max)).toBe(15)
  expect(defaultPools.lists.max).toBeLessThanOrEqual(4)
})

test('each database has its own connections, and a transaction stays on its connection', async () => {
  const { db, reads, lists, pools } = await open()
  const pidOf = async (on: typeof db) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(on)).rows[0]?.pid
  const inTransaction = await db.transaction().execute(async (tx) => {
    const pids = [await pidOf(tx), await pidOf(prepared(tx)), await pidOf(unprepared(tx))]
    await sql`insert into app_sources (code, label) values ('x', 'x')`.execute(tx)
    return new Set(pids)
  })
  expect(inTransaction.size).toBe(1)
  expect(counts(pools)).toEqual({ ...none, writes: 1 })
  const [read, list] = [await pidOf(reads), await pidOf(prepared(lists))]
  expect(counts(pools)).toEqual({ ...none, reads: 1, lists: 1, writes: 1 })
  expect(new Set([read, list, ...inTransaction]).size).toBe(3)
  await reads
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => expect(await pidOf(tx)).toBe(read))
  expect(await pidOf(db)).toBe([...inTransaction][0])
  expect(counts(pools)).toEqual({ ...none, reads: 1, lists: 1, writes: 1 })
})

test('a transaction in which a statement failed and was ignored is not committed', async () => {
  const { db } = await open()
  const work = db.transaction().execute(async (tx) => {
    await sql`insert into app_sources (code, label) values ('y', 'y')`.execute(tx)
    await sql`select 1 / 0`.execute(tx).catch(() => {})
  })
  await expect(work).rejects.toThrow(AbortedTransactionError)
  expect(await db.selectFrom('app_sources').select('code').where('code', '=', 'y').execute()).toEqual([])
})

test('a caller that waits too long for a connection is refused, and the reason names the pool', async () => {
  const { close, db, reads, lists, pools } = connect((await cloneDatabase()).service, log, { timeoutMs: 200 })
  onTestFinished(close)
  for (const [name, pool] of Object.entries({ writes: db, reads, lists })) {
    const taken = await Promise.all(
      Array.from({ length: pools[name as 'reads'].options.max }, () => pools[name as 'reads'].connect()),
    )
    const cause = `waited too long for a connection of the pool ${name}`
    await expect(sql`select 1`.execute(pool)).rejects.toMatchObject({ code: 'unavailable', cause })
    for (const client of taken) client.release()
  }
})

test('the stack of an error names the query', async () => {
  const { reads } = await open()
  const askBadly = async () => void (await sql`select nothing`.execute(reads))
  expect((await askBadly().catch((error) => error)).stack).toContain('askBadly')
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
  const ids = Array.from({ length: defaultPools.writes.max }, (_, n) =>
    db.transaction().execute(async (tx) => {
      if (++holding === defaultPools.writes.max) all.resolve()
      await all.promise
      return jobs.enqueue(tx, job, { n })
    }),
  )
  for (const id of ids) expect(await id).toEqual(expect.any(String))
})
