import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { defineJob, handle, type JobContext } from './job.ts'
import { jobsDatabase, openJobs, until, withoutDatabase } from './jobs.test-kit.ts'
import type { Pace } from './pace.ts'

const work = defineJob('test.work', Type.Object({}))
type Work = (payload: object, context: JobContext) => Promise<unknown>

/** An instance that runs one job, and the next instance. */
async function twoInstances(first: Work, pace: Partial<Pace> = {}) {
  const database = await jobsDatabase()
  const one = openJobs(database.service, pace)
  const other = openJobs(database.service)
  let begun = false
  const begin: Work = (payload, context) => {
    begun = true
    return first(payload, context)
  }
  await one.jobs.start([handle(work, begin)])
  await one.jobs.enqueue(one.db, work, {})
  await until('it runs', () => begun)
  return { database, one, other }
}

test('stop() lets a job that ends soon end', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { one } = await twoInstances(() => promise, { graceMs: 15_000 })
  const stopped = one.jobs.stop()
  await sleep(200)
  resolve()
  await stopped
  expect(await one.stored(work.name)).toMatchObject([{ state: 'completed' }])
})

for (const [manner, job] of [
  ['heeds its signal', (_payload, { signal }) => sleep(60_000, undefined, { signal })],
  ['does not end', () => new Promise(() => {})],
] satisfies [string, Work][]) {
  test(`stop() hands back a job that ${manner}: another instance does it at once, and no attempt is lost`, async () => {
    const { one, other } = await twoInstances(job)
    await one.jobs.stop()
    await until('it is handed back', async () => (await one.stored(work.name))[0]?.state === 'retry')
    const [handedBack] = await one.stored(work.name)
    expect(handedBack).toMatchObject({ retry_count: 0, started_on: null })
    expect(handedBack?.waits).toBeLessThanOrEqual(0)
    expect(one.log.lines.some(({ level }) => level === 'error')).toBe(false)
    const attempts: number[] = []
    await other.jobs.start([handle(work, async (_payload, { attempt }) => attempts.push(attempt))])
    await until('the other did it', async () => (await other.stored(work.name))[0]?.state === 'completed')
    expect(attempts).toEqual([1])
  })
}

test('stop() returns soon when the database is away', async () => {
  const { database, one } = await twoInstances(() => new Promise(() => {}))
  await withoutDatabase(database, async () => {
    const start = performance.now()
    await one.jobs.stop()
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})

test('jobs outlive an outage of the database: what was done is not done again, and the log stays short', async () => {
  const database = await jobsDatabase()
  const { jobs, db, log, stored } = openJobs(database.service)
  const done: string[] = []
  const slow = defineJob('test.slow', Type.Object({ name: Type.String() }), { concurrency: 2 })
  const { promise: outage, resolve: endOutage } = Promise.withResolvers<void>()
  await jobs.start([
    handle(slow, async ({ name }) => {
      if (name === 'during') await outage
      done.push(name)
    }),
  ])
  await jobs.enqueue(db, slow, { name: 'during' })
  await until('it runs', async () => (await stored(slow.name))[0]?.state === 'active')
  await withoutDatabase(database, async () => {
    await sleep(500)
    endOutage()
    await sleep(2_500)
    expect(done).toEqual(['during'])
  })
  await until('it is noted as done', async () => (await stored(slow.name))[0]?.state === 'completed')
  await jobs.enqueue(db, slow, { name: 'after' })
  await until('the next one is done', () => done.includes('after'))
  expect(done).toEqual(['during', 'after'])
  expect(log.lines.length).toBeLessThan(8)
})
