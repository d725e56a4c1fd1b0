import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { run } from '../../../test/support/world.ts'
import { defineJob, handle } from './job.ts'
import { jobsDatabase, openJobs, until } from './jobs.test-kit.ts'

const sync = defineJob('test.sync', Type.Object({}))

test('a long job stays with its worker as long as that sends heartbeats', async () => {
  // Heartbeats are so frequent that even a machine that freezes for seconds does not miss the last one.
  const [timing, silentSeconds] = [{ touchSeconds: 0.2 }, 4]
  const database = await jobsDatabase()
  const attempts: number[] = []
  const long = handle(sync, async (_payload, { attempt }) => {
    attempts.push(attempt)
    await sleep(silentSeconds * 1_000 + 1_000)
  })
  const [one, other] = [openJobs(database.service, timing), openJobs(database.service, timing)]
  const { jobs, db, stored, log } = one
  await jobs.start([long])
  await other.jobs.start([long])
  await jobs.enqueue(db, sync, {})
  await run(database.owner, `update pgboss.job set heartbeat_seconds = ${silentSeconds}`)
  await until('it is done', async () => (await stored(sync.name))[0]?.state === 'completed')
  expect(attempts).toEqual([1])
  expect([...log.lines, ...other.log.lines]).toEqual([])
})

test('a worker whose job was taken over is notified, and its late failure changes nothing', async () => {
  const database = await jobsDatabase()
  const { jobs, db, stored, log } = openJobs(database.service)
  let told = ''
  let attempts = 0
  const work = handle(sync, async (_payload, { signal }) => {
    attempts++
    if (attempts > 1) return
    await sleep(60_000, undefined, { signal }).catch(() => {})
    told = (signal.reason as Error).message
    throw new Error('too late')
  })
  await jobs.start([work])
  await jobs.enqueue(db, sync, {})
  await until('it runs', () => attempts === 1)
  await run(database.owner, "update pgboss.job set state = 'retry', start_after = now() + interval '1 h'")
  await until('it is told', () => told !== '')
  await run(database.owner, 'update pgboss.job set start_after = now()')
  await until('it is done', async () => (await stored(sync.name))[0]?.state === 'completed')
  expect(told).toMatch('no longer active under this worker')
  expect(attempts).toBe(2)
  expect(log.lines).toEqual([])
})

test.each([
  ['success', () => {}],
  [
    'failure',
    () => {
      throw new Error('too late')
    },
  ],
])(
  'a %s that arrives before its worker learns of the takeover closes only its own run',
  async (_kind, end) => {
    const database = await jobsDatabase()
    // No heartbeats and no supervision.
    const { jobs, db, stored } = openJobs(database.service, { touchSeconds: 600, calmSeconds: 600 })
    const gate = Promise.withResolvers<void>()
    const begun: number[] = []
    const work = handle(sync, async (_payload, { attempt }) => {
      if (begun.push(attempt) > 1) return
      await gate.promise
      end()
    })
    await jobs.start([work])
    await jobs.enqueue(db, sync, {})
    await until('it runs', () => begun.length === 1)
    await run(database.owner, "update pgboss.job set retry_count = retry_count + 1 where name = 'test.sync'")
    await jobs.enqueue(db, sync, {})
    gate.resolve()
    await until('the next one is done', async () => (await stored(sync.name))[1]?.state === 'completed')
    expect((await stored(sync.name))[0]).toMatchObject({ state: 'active', retry_count: 1 })
  },
)
