import { Registry } from 'prom-client'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { run } from '../../../test/support/world.ts'
import { defineJob, handle } from './job.ts'
import { jobsDatabase, openJobs, until, withoutDatabase } from './jobs.test-kit.ts'
import { watchJobs } from './watch-jobs.ts'

const one = defineJob('test.one', Type.Object({}), { retries: 1, backoffSeconds: 0 })
const idle = defineJob('test.idle', Type.Object({}))

/** Returns the metrics once the database has responded within its second. */
async function depths(registry: Registry): Promise<string> {
  let metrics = ''
  await until('the metrics tell of jobs', async () => {
    metrics = await registry.metrics()
    return metrics.includes('jobs{')
  })
  return metrics
}

test('metrics report the length of each queue and the age of its oldest job', async () => {
  const database = await jobsDatabase()
  const { jobs, db, stored } = openJobs(database.service)
  const registry = new Registry()
  watchJobs(registry, db)
  const { promise, resolve } = Promise.withResolvers<void>()
  await jobs.start([handle(one, () => promise), handle(idle, async () => {})])
  await jobs.enqueue(db, one, {})
  await until('it runs', async () => (await stored(one.name))[0]?.state === 'active')
  await jobs.enqueue(db, one, {})
  await jobs.enqueue(db, one, {}, { startAfter: new Date(Date.now() + 60_000) })
  const before = performance.now()
  await run(
    database.owner,
    "update pgboss.job set start_after = now() - interval '42 s' where state = 'created' and start_after < now()",
  )
  const metrics = await depths(registry)
  const elapsedSeconds = (performance.now() - before) / 1_000
  for (const line of [
    'jobs{queue="test.one",state="waiting"} 1',
    'jobs{queue="test.one",state="delayed"} 1',
    'jobs{queue="test.one",state="running"} 1',
    'jobs{queue="test.one",state="failed"} 0',
    'jobs{queue="test.idle",state="waiting"} 0',
    'jobs_oldest_waiting_seconds{queue="test.idle"} 0',
  ]) {
    expect(metrics).toContain(`${line}\n`)
  }
  const age = Number(/oldest_waiting_seconds{queue="test.one"} (\S+)/.exec(metrics)?.[1])
  expect(age).toBeGreaterThan(41)
  expect(age).toBeLessThan(43 + elapsedSeconds)
  expect(metrics).not.toMatch(/dead-letters|__pgboss/)
  resolve()
})

test('metrics count jobs that failed for good and work without the database', async () => {
  const database = await jobsDatabase()
  const { jobs, db, stored } = openJobs(database.service)
  const registry = new Registry()
  watchJobs(registry, db)
  await jobs.start([handle(one, () => Promise.reject(new Error('no')))])
  await jobs.enqueue(db, one, {})
  await until('it failed for good', async () => (await stored('dead-letters')).length === 1)
  expect(await depths(registry)).toContain('jobs{queue="test.one",state="failed"} 1\n')
  await withoutDatabase(database, async () => {
    expect(await registry.metrics()).not.toContain('jobs{')
  })
})
