// Round: rest, because it waits for jobs and for a database that is away.
import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { slowdown } from '../../../test/processes/service.ts'
import { run } from '../../../test/support/world.ts'
import { defineJob, handle, type JobContext } from './job.ts'
import { jobsDatabase, openJobs, until, withoutDatabase } from './jobs.test-kit.ts'
import type { Timing } from './timing.ts'

const work = defineJob('test.work', Type.Object({}))
type Work = (payload: object, context: JobContext) => Promise<unknown>

/** Starts an instance that runs one job, and a second instance. */
async function twoInstances(first: Work, timing: Partial<Timing> = {}) {
  const database = await jobsDatabase()
  const one = openJobs(database.service, timing)
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

test('stop() waits for a job that completes shortly', async () => {
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
  test(`stop() returns a job that ${manner} to the queue: another instance runs it and no attempt is lost`, async () => {
    const { one, other } = await twoInstances(job)
    await one.jobs.stop()
    const [handedBack] = await one.stored(work.name)
    expect(handedBack).toMatchObject({
      state: 'created',
      retry_count: 0,
      retry_limit: work.settings.retries + 1,
    })
    expect(handedBack?.waits).toBeLessThanOrEqual(0)
    expect(one.log.lines.some(({ level }) => level === 'error')).toBe(false)
    const attempts: number[] = []
    await other.jobs.start([handle(work, async (_payload, { attempt }) => attempts.push(attempt))])
    await until('the other did it', async () => (await other.stored(work.name))[0]?.state === 'completed')
    expect(attempts).toEqual([1])
  })
}

test('pause() returns running jobs to the queue and takes no more; resume() continues', async () => {
  const database = await jobsDatabase()
  const { jobs, db, stored } = openJobs(database.service)
  let begun = 0
  let blocked = true
  const perform: Work = async (_payload, { signal }) => {
    begun++
    if (blocked) await sleep(60_000, undefined, { signal })
  }
  await jobs.start([handle(work, perform)])
  await jobs.enqueue(db, work, {})
  await until('it runs', () => begun === 1)
  await jobs.pause()
  await jobs.enqueue(db, work, {})
  expect((await stored(work.name)).map(({ state }) => state)).toEqual(['created', 'created'])
  blocked = false
  // Twice the polling interval of a worker.
  await sleep(1_000)
  expect(begun).toBe(1)
  await jobs.resume()
  await until('both are done', async () =>
    (await stored(work.name)).every(({ state }) => state === 'completed'),
  )
  expect(begun).toBe(3)
})

test('stop() also returns a job at its last attempt to the queue if it does not end', async () => {
  const database = await jobsDatabase()
  const [one, other] = [openJobs(database.service), openJobs(database.service)]
  const twice = defineJob('test.twice', Type.Object({}), { retries: 1, backoffSeconds: 0 })
  const gate = Promise.withResolvers<void>()
  const begun: string[] = []
  const hold = (who: string, until: Promise<void>): Work => {
    return async (_payload, { attempt }) => {
      begun.push(`${who} ${attempt}`)
      if (attempt === 1) throw new Error('not the first time')
      await until
    }
  }
  await one.jobs.start([handle(twice, hold('one', new Promise(() => {})))])
  await one.jobs.enqueue(one.db, twice, {})
  await until('the last attempt runs', () => begun.length === 2)
  await other.jobs.start([handle(twice, hold('other', gate.promise))])
  await one.jobs.stop()
  await until('the other does it', () => begun.length === 3)
  expect(await one.stored(twice.name)).toMatchObject([{ state: 'active' }])
  gate.resolve()
  await until('it is done', async () => (await one.stored(twice.name))[0]?.state === 'completed')
  expect(begun).toEqual(['one 1', 'one 2', 'other 2'])
  expect(await one.stored('dead-letters')).toEqual([])
})

test('stop() returns quickly when the database is unavailable', async () => {
  const { database, one } = await twoInstances(() => new Promise(() => {}))
  await withoutDatabase(database, async () => {
    const start = performance.now()
    await one.jobs.stop()
    expect(performance.now() - start).toBeLessThan(10_000 * slowdown())
  })
})

test('jobs survive an outage of the database: finished ones are not repeated and the log stays short', async () => {
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

test('after an outage of the database a running job stays with its worker despite the missing heartbeat', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const attempts: number[] = []
  const hold: Work = (_payload, { attempt }) => {
    attempts.push(attempt)
    return promise
  }
  // Supervision right after the outage would consider this worker dead, because its next heartbeat is still to come.
  const { database, one } = await twoInstances(hold, { touchSeconds: 1.5, calmSeconds: 5 })
  const ask = async (question: string) => (await run(database.owner, `select ${question} as yes`)).rows[0].yes
  await until('silent workers are looked for', () =>
    ask('exists (select from pgboss.queue where monitor_on is not null)'),
  )
  const noticed = () => one.log.lines.some(({ message }) => message.includes('background jobs failed'))
  await withoutDatabase(database, () => until('the outage is noticed', noticed))
  await run(database.owner, "update pgboss.job set heartbeat_on = now() - interval '1 h'")
  await until('it gives a sign of life', () =>
    ask("(select heartbeat_on from pgboss.job) > now() - interval '1 min'"),
  )
  resolve()
  await until('it is done', async () => (await one.stored(work.name))[0]?.state === 'completed')
  expect(attempts).toEqual([1])
})
