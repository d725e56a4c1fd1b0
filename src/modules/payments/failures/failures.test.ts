import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { until } from '../../../platform/jobs/jobs.test-kit.ts'
import { insertEvent, newEvent } from '../inbox/rules.ts'
import { event, provider } from '../payments.test-kit.ts'
import { watchEventsHandler, watchEventsSchedule } from './jobs.ts'
import { replayFailed } from './rules.ts'

const world = await openWorld()
const { db, jobs, log, outbox, runJobs, user } = world
await runJobs()
await user({ roles: ['admin'], email: 'admin@example.org', issuer: 'parvis' })

const { signal } = new AbortController()
const warned: object[] = []
const watchAt = (now: string) => {
  const noting = Object.assign(Object.create(log), { warn: (about: object) => warned.push(about) })
  const handler = watchEventsHandler({ db, jobs, log: noting, clock: () => new Date(now) })
  return handler.perform({}, { id: 'job', attempt: 1, signal })
}
const mails = async () => (await readdir(outbox)).filter((file) => file.endsWith('.eml'))
const statusOf = async (id: string) =>
  (await db.selectFrom('payment_events').select('status').where('id', '=', id).executeTakeFirst())?.status

test('mails administrators once an hour while events have failed, and not otherwise', async () => {
  expect(watchEventsSchedule.cron).toMatch(/^\d+ \* \* \* \*$/)
  await watchAt('2026-11-20T08:37:00Z')
  expect(warned).toEqual([])
  const fail = async () => {
    const poison = event('customer.subscription.updated', {})
    await provider(world).deliver(poison)
    await until('it has failed', async () => (await statusOf(poison.id)) === 'failed')
  }
  await fail()
  // Another instance checks too.
  for (const now of ['2026-11-20T09:37:00Z', '2026-11-20T09:37:20Z']) await watchAt(now)
  await until('they are told', async () => (await mails()).length === 1)
  await fail()
  await watchAt('2026-11-20T10:37:00Z')
  await until('they are told again', async () => (await mails()).length === 2)
  const texts = await Promise.all((await mails()).map((file) => readFile(join(outbox, file), 'utf8')))
  for (const text of texts) expect(text).toContain('To: admin@example.org')
  expect(texts.map((text) => /^(Un|\d+) /m.exec(text)?.[1]).sort()).toEqual(['2', 'Un'])
})

test('re-enqueues an event whose job was lost after its hour', async () => {
  const forgotten = event('customer.subscription.updated')
  const recent = event('customer.subscription.updated')
  for (const body of [forgotten, recent]) await insertEvent(db, newEvent(body, new Date()))
  await db
    .updateTable('payment_events')
    .set({ received_at: sql<Date>`now() - interval '3 hours'` })
    .where('id', '=', forgotten.id)
    .execute()
  await watchAt('2026-11-20T12:37:00Z')
  await until('it is processed', async () => (await statusOf(forgotten.id)) === 'processed')
  expect(await statusOf(recent.id)).toBe('received')
  expect(warned).toContainEqual({ forgotten: 1 })
})

test('re-enqueues all failed events with any batch size', async () => {
  const bodies = Array.from({ length: 3 }, () => event('customer.subscription.updated'))
  for (const body of bodies) await insertEvent(db, newEvent(body, new Date()))
  const known = db.selectFrom('payment_events').select('id').where('status', '=', 'failed')
  await db
    .updateTable('payment_events')
    .set({ status: 'failed', error: 'the database refused', ended_at: sql<Date>`now()` })
    .where(
      'id',
      'in',
      bodies.map(({ id }) => id),
    )
    .execute()
  const before = (await known.execute()).length
  expect(await replayFailed({ db, jobs }, 2)).toBe(before)
  for (const { id } of bodies)
    await until('it is processed', async () => (await statusOf(id)) === 'processed')
})
