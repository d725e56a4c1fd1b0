import { sql } from 'kysely'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { run } from '../../../test/support/world.ts'
import { defineJob, handle, schedule } from './job.ts'
import { jobsDatabase, openJobs, until } from './jobs.test-kit.ts'

const greet = defineJob('test.greet', Type.Object({ id: Type.Integer() }))

test('a job is visible once the enqueuing transaction commits, and runs', async () => {
  const database = await jobsDatabase()
  const { jobs, db, stored } = openJobs(database.service)
  const done: number[] = []
  await jobs.start([handle(greet, async ({ id }) => done.push(id))])
  const tx = await db.startTransaction().execute()
  await jobs.enqueue(tx, greet, { id: 1 })
  await jobs.enqueue(db, greet, { id: 2 })
  await until('what was enqueued after it is done', () => done.length > 0)
  expect(done).toEqual([2])
  await tx.commit().execute()
  await until('all is done', async () =>
    (await stored(greet.name)).every(({ state }) => state === 'completed'),
  )
  expect(done).toEqual([2, 1])
})

test('jobs start promptly, in order, up to the concurrency limit', async () => {
  const database = await jobsDatabase()
  const { jobs, db } = openJobs(database.service, { pollSeconds: 600 })
  const two = defineJob('test.two', Type.Object({}), { concurrency: 2 })
  const later = defineJob('test.later', Type.Object({}))
  const ended = Promise.withResolvers<void>()
  let [running, most, done, laterOnes] = [0, 0, 0, 0]
  const work = handle(two, async () => {
    most = Math.max(most, ++running)
    await ended.promise
    running--
    done++
  })
  await jobs.start([work, handle(later, async () => laterOnes++)])
  for (let n = 0; n < 6; n++) await jobs.enqueue(db, two, {})
  await jobs.enqueue(db, later, {})
  // A third one would have started by now.
  await until('two run, and another kind has come and gone', () => running >= 2 && laterOnes === 1)
  ended.resolve()
  await until('all are done', () => done === 6)
  expect(most).toBe(2)
})

test('a rolled-back transaction enqueues nothing', async () => {
  const database = await jobsDatabase()
  const { jobs, db, stored } = openJobs(database.service)
  const enqueueThenFail = db.transaction().execute(async (tx) => {
    expect(await jobs.enqueue(tx, greet, { id: 1 })).toEqual(expect.any(String))
    throw new Error('changed my mind')
  })
  await expect(enqueueThenFail).rejects.toThrow('changed my mind')
  expect(await stored(greet.name)).toEqual([])
})

test('refuses a payload of the wrong shape without quoting it', async () => {
  const database = await jobsDatabase()
  const { jobs, db, stored } = openJobs(database.service)
  const wrong = { id: 'alice@example.fr' } as unknown as { id: number }
  await expect(jobs.enqueue(db, greet, wrong)).rejects.toThrow(
    'the payload of test.greet is not valid: /id must be integer',
  )
  expect(await stored(greet.name)).toEqual([])
  // @ts-expect-error: nor does it compile.
  await expect(jobs.enqueue(db, greet, { no: 1 })).rejects.toThrow(TypeError)
})

test('retries a payload written by another version instead of passing it to the handler', async () => {
  const database = await jobsDatabase()
  const { jobs, db, stored, log } = openJobs(database.service)
  const before = defineJob(greet.name, Type.Object({ name: Type.String() }))
  await jobs.enqueue(db, before, { name: 'Zoé' })
  await jobs.start([handle(greet, () => expect.unreachable())])
  await until('it failed', async () => (await stored(greet.name))[0]?.state === 'retry')
  expect(log.lines).toMatchObject([{ level: 'warn', job: greet.name, attempt: 1 }])
})

test('creates a queue for the next job when creating it failed before', async () => {
  const database = await jobsDatabase()
  const { jobs, db, stored } = openJobs(database.service)
  const mayMake = (grant: string) => run(database.owner, `${grant} ${database.service.user}`)
  await mayMake('revoke insert on pgboss.queue from')
  await expect(jobs.enqueue(db, greet, { id: 1 })).rejects.toThrow('permission denied')
  await mayMake('grant insert on pgboss.queue to')
  await jobs.enqueue(db, greet, { id: 2 })
  expect(await stored(greet.name)).toMatchObject([{ state: 'created' }])
})

test('a start updates a queue whose settings changed, and writes nothing when none did', async () => {
  const database = await jobsDatabase()
  const plan = (retries: number, cron: string) => {
    const job = defineJob('test.settings', Type.Object({}), { retries })
    return [[handle(job, async () => {})], [schedule(job, cron, {})]] as const
  }
  const startOnce = async (...[handlers, schedules]: ReturnType<typeof plan>) => {
    const { jobs, db } = openJobs(database.service)
    await jobs.start([...handlers], [...schedules])
    await jobs.stop()
    const { rows } = await sql`
      select retry_limit, dead_letter, policy, cron, queue.xmin::text as queue, schedule.xmin::text as schedule
      from pgboss.queue join pgboss.schedule using (name) where name = 'test.settings'`.execute(db)
    return rows
  }
  const [first] = await startOnce(...plan(2, '0 4 * * *'))
  expect(first).toMatchObject({ retry_limit: 2, dead_letter: 'dead-letters', policy: 'exclusive' })
  expect(await startOnce(...plan(2, '0 4 * * *'))).toEqual([first])
  expect(await startOnce(...plan(3, '0 5 * * *'))).toEqual([
    {
      ...(first as object),
      retry_limit: 3,
      cron: '0 5 * * *',
      queue: expect.anything(),
      schedule: expect.anything(),
    },
  ])
})

test('only one job per singleton key waits or runs; the next can be enqueued afterwards', async () => {
  const database = await jobsDatabase()
  const { jobs, db } = openJobs(database.service)
  const { promise, resolve } = Promise.withResolvers<void>()
  const begun: number[] = []
  const work = async ({ id }: { id: number }) => {
    begun.push(id)
    await promise
  }
  const enqueue = (id: number, singletonKey: string) => jobs.enqueue(db, greet, { id }, { singletonKey })
  expect(await enqueue(1, 'a')).not.toBe(null)
  expect(await enqueue(2, 'a')).toBe(null)
  await jobs.start([handle(greet, work)])
  await until('it runs', () => begun.length === 1)
  expect(await enqueue(3, 'a')).toBe(null)
  expect(await enqueue(4, 'b')).not.toBe(null)
  resolve()
  await until('the other key had its turn', () => begun.length === 2)
  expect(await enqueue(5, 'a')).not.toBe(null)
  await until('it could run again', () => begun.length === 3)
  expect(begun).toEqual([1, 4, 5])
})

test('a job waits for its start time', async () => {
  const database = await jobsDatabase()
  const { jobs, db, stored } = openJobs(database.service)
  const done: number[] = []
  await jobs.start([handle(greet, async ({ id }) => done.push(id))])
  await jobs.enqueue(db, greet, { id: 1 }, { startAfter: new Date(Date.now() + 3_600_000) })
  await jobs.enqueue(db, greet, { id: 2 })
  await until('what was enqueued after it is done', () => done.length > 0)
  expect(done).toEqual([2])
  expect((await stored(greet.name))[0]?.waits).toBeGreaterThan(3_500)
  await run(database.owner, "update pgboss.job set start_after = now() where state = 'created'")
  await until('its time has come', () => done.length > 1)
  expect(done).toEqual([2, 1])
})

test('a failing job backs off longer each time up to the cap and ends as a dead letter', async () => {
  const database = await jobsDatabase()
  const { jobs, db, log, stored } = openJobs(database.service)
  const moody = defineJob('test.moody', Type.Object({}), {
    retries: 2,
    backoffSeconds: 100,
    maxBackoffSeconds: 150,
  })
  await jobs.start([
    handle(moody, () =>
      Promise.reject(Object.assign(new Error('not today'), { code: 'MOODY', secret: 'x' })),
    ),
  ])
  await jobs.enqueue(db, moody, {})
  const waits: { least: number; most: number }[] = []
  for (const attempt of [1, 2]) {
    await until(`attempt ${attempt} failed`, () => log.lines.length === attempt)
    await until('that is noted', async () => (await stored(moody.name))[0]?.state === 'retry')
    const { waits: least = 0, waits_since_start: most = 0 } = (await stored(moody.name))[0] ?? {}
    waits.push({ least, most })
    await run(database.owner, 'update pgboss.job set start_after = now()')
  }
  // The delay after the failure lies between what was left of it when measured and what it is since the start.
  expect(waits[0]?.most).toBeGreaterThanOrEqual(100)
  expect(waits[0]?.least).toBeLessThanOrEqual(150)
  expect(waits[1]?.most).toBeGreaterThanOrEqual(150)
  expect(waits[1]?.least).toBeLessThanOrEqual(150)
  await until('it failed for good', async () => (await stored(moody.name))[0]?.state === 'failed')
  expect(await stored('dead-letters')).toMatchObject([
    { source_name: moody.name, source_output: { name: 'Error', message: 'not today', code: 'MOODY' } },
  ])
  expect(log.lines.map(({ level, attempt }) => [level, attempt])).toEqual([
    ['warn', 1],
    ['warn', 2],
    ['error', 3],
  ])
  expect(JSON.stringify(await stored('dead-letters'))).not.toContain('secret')
})

test('records a failure whatever its message contains', async () => {
  const database = await jobsDatabase()
  const { jobs, db, stored } = openJobs(database.service)
  await jobs.start([handle(greet, () => Promise.reject(new Error('read \0 and \ud800')))])
  await jobs.enqueue(db, greet, { id: 1 })
  await until('it is to be tried again', async () => (await stored(greet.name))[0]?.state === 'retry')
  expect((await stored(greet.name))[0]?.output).toEqual({ name: 'Error', message: 'read  and \ufffd' })
})

test('aborts and retries an attempt that exceeds its timeout, even one that ignores its signal', async () => {
  const database = await jobsDatabase()
  const { jobs, db, stored } = openJobs(database.service)
  const slow = defineJob('test.slow', Type.Object({}), { timeoutSeconds: 1 })
  let signal: AbortSignal | undefined
  const sleepOn = handle(slow, async (_payload, context) => {
    signal = context.signal
    await new Promise(() => {})
  })
  await jobs.start([sleepOn])
  await jobs.enqueue(db, slow, {})
  await until('it is to be tried again', async () => (await stored(slow.name))[0]?.state === 'retry')
  expect(signal?.aborted).toBe(true)
  expect((await stored(slow.name))[0]?.output?.message).toBe('not done within 1 s')
})
