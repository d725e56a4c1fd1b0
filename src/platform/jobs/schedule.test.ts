import { sql } from 'kysely'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { defineJob, handle, schedule } from './job.ts'
import { jobsDatabase, openJobs, until } from './jobs.test-kit.ts'

const tick = defineJob('test.tick', Type.Object({ what: Type.String() }))
const other = defineJob('test.other', Type.Object({}))

test('a schedule fires once per tick across two instances, for each of its payloads', async () => {
  const database = await jobsDatabase()
  const instances = [openJobs(database.service), openJobs(database.service)] as const
  const ran: string[] = []
  for (const { jobs } of instances) {
    await jobs.start(
      [handle(tick, async ({ what }) => ran.push(what))],
      [schedule(tick, '* * * * *', { what: 'this' }), schedule(tick, '* * * * *', { what: 'that' })],
    )
  }
  const [{ db }] = instances
  const lookedAtSince = async (since: Date) => {
    const { rows } = await sql<{ at: Date }>`select cron_on as at from pgboss.version`.execute(db)
    return (rows[0]?.at ?? new Date(0)) > since
  }
  await until('it fires', () => ran.length >= 2)
  // Both instances look every second and find this minute's tick done.
  for (let look = 0; look < 3; look++) {
    const since = new Date()
    await until('an instance looked at the schedules', () => lookedAtSince(since))
  }
  // The test may run into the next minute.
  const countMinutes = async () => {
    const { rows } = await sql`
      select distinct singleton_on from pgboss.job where name = '__pgboss__send-it'`.execute(db)
    return rows.length
  }
  await until('all are done', async () => ran.length === 2 * (await countMinutes()))
  expect(ran.filter((what) => what === 'this').length).toBe(ran.length / 2)
})

test('schedules use Paris time, and those removed from the code leave the database', async () => {
  const database = await jobsDatabase()
  const before = openJobs(database.service)
  await before.jobs.start(
    [],
    [schedule(tick, '0 4 * * *', { what: 'this' }), schedule(other, '0 5 * * 1', {})],
  )
  await before.jobs.stop()
  const { jobs, db } = openJobs(database.service)
  await jobs.start([], [schedule(other, '0 5 * * 1', {})])
  const { rows } = await sql`select name, cron, timezone from pgboss.schedule`.execute(db)
  expect(rows).toEqual([{ name: other.name, cron: '0 5 * * 1', timezone: 'Europe/Paris' }])
})

test('a job that is scheduled at once runs when it is new, and at no later start before its tick', async () => {
  const database = await jobsDatabase()
  const start = async () => {
    const instance = openJobs(database.service)
    await instance.jobs.start(
      [handle(tick, async () => {})],
      [
        schedule(tick, '0 0 1 1 *', { what: 'at once' }, { atOnce: true }),
        schedule(tick, '0 0 1 1 *', { what: 'later' }),
      ],
    )
    return instance
  }
  const { jobs, stored } = await start()
  await until('it has run', async () => (await stored(tick.name))[0]?.state === 'completed')
  await jobs.stop()
  await start()
  expect(await stored(tick.name)).toMatchObject([{ data: { what: 'at once' }, state: 'completed' }])
})

test('an unreadable schedule prevents the start', async () => {
  const database = await jobsDatabase()
  const { jobs } = openJobs(database.service)
  await expect(jobs.start([], [schedule(other, 'every morning', {})])).rejects.toThrow()
  expect(() => schedule(tick, '0 4 * * *', { what: 4 } as unknown as { what: string })).toThrow(TypeError)
})
