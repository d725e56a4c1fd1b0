import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { defineJob, handle, type JobContext } from './job.ts'
import { jobsDatabase, openJobs, until, withoutDatabase } from './jobs.test-kit.ts'

const work = defineJob('test.work', Type.Object({}))
type Work = (payload: object, context: JobContext) => Promise<unknown>

/** An instance that runs one job, and the next instance. */
async function twoInstances(first: Work) {
  const database = await jobsDatabase()
  const one = openJobs(database.service)
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
  const { one } = await twoInstances(() => sleep(500))
  await one.jobs.stop()
  expect(await one.stored(work.name)).toMatchObject([{ state: 'completed' }])
})

for (const [manner, job] of [
  ['heeds its signal', (_payload, { signal }) => sleep(60_000, undefined, { signal })],
  ['does not end', () => new Promise(() => {})],
] satisfies [string, Work][]) {
  test(`stop() hands back a job that ${manner}: another instance does it at once, and no attempt is lost`, async () => {
    const { one, other } = await twoInstances(job)
    const start = performance.now()
    await one.jobs.stop()
    expect(performance.now() - start).toBeLessThan(1_900)
    expect(await one.stored(work.name)).toMatchObject([{ state: 'retry', retry_count: 0, started_on: null }])
    expect(one.log.lines.some(({ level }) => level === 'error')).toBe(false)
    const attempts: number[] = []
    await other.jobs.start([handle(work, async (_payload, { attempt }) => attempts.push(attempt))])
    await until(
      'the other did it',
      async () => (await other.stored(work.name))[0]?.state === 'completed',
      1_000,
    )
    expect(attempts).toEqual([1])
  })
}

test('stop() returns soon when the database is away', async () => {
  const { database, one } = await twoInstances(() => new Promise(() => {}))
  await withoutDatabase(database, async () => {
    const start = performance.now()
    await one.jobs.stop()
    expect(performance.now() - start).toBeLessThan(2_500)
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
