import { once } from 'node:events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { startWorker } from '../../../platform/jobs/jobs.test-kit.ts'
import { insertPublications } from '../../publications/publications.test-kit.ts'
import { type Message, senderOf, startReceiver } from '../receiver.test-kit.ts'

const events = process.env.PARVIS_TEST_LONG ? 10_000 : 1_000
/** One instance sends to a webhook at a time, at most so many messages at once. */
const atOnce = 5

test(`${events} events to a slow receiver delay no other, and kill -9 loses none, in the order of each record`, {
  timeout: 600_000,
}, async () => {
  const [slow, quick] = [await startReceiver(), await startReceiver()]
  const world = await openWorld({ env: { IMPORT_ALLOW_PRIVATE: 'true' } })
  const { db, database } = world
  const admin = await world.as('admin')
  const types = ['publication.published', 'publication.changed']
  for (const { url } of [slow, quick])
    expect((await admin.post('/admin/webhooks', { url, types })).status).toBe(201)
  const published: string[] = []
  while (published.length < events / 2) {
    const rows = await insertPublications(world, Array(100).fill({}))
    published.push(...rows.map(({ id }) => id))
  }
  await sql`update publications set title = title || ', corrigé'`.execute(db)

  const killAt = Promise.withResolvers<void>()
  const quickIsDone = Promise.withResolvers<number>()
  slow.answer = (response, message) => {
    if (slow.received.length > events / 2) killAt.resolve()
    setTimeout(() => slow.accepts(response, message), 10)
  }
  quick.answer = (response, message) => {
    if (new Set(quick.received.map(idOf)).size === events) quickIsDone.resolve(slow.received.length)
    quick.accepts(response, message)
  }
  const victim = await startWorker(new URL('./sending.test-worker.ts', import.meta.url), database.service)
  await killAt.promise
  victim.kill('SIGKILL')
  await once(victim, 'exit')
  // As when the lease of the killed instance has ended. Two others go on.
  await sql`update webhook_deliveries set claimed_until = null where state = 'waiting'`.execute(db)
  const second = await openWorld({ database })
  await Promise.all([senderOf(world).send(), senderOf(second).send()])

  expect(await quickIsDone.promise).toBeLessThan(events)
  for (const { received } of [slow, quick]) {
    const ids = new Set(received.map(idOf))
    expect(ids.size).toBe(events)
    // Messages in flight at the kill arrive twice.
    expect(received.length - ids.size).toBeLessThanOrEqual(atOnce)
    const told = new Map<string, string[]>()
    for (const { body } of firsts(received))
      told.set(body.data.id, [...(told.get(body.data.id) ?? []), body.type])
    expect([...told.keys()].toSorted()).toEqual(published.toSorted())
    for (const each of told.values()) expect(each).toEqual(types)
  }
  const { rows } = await sql`select state, count(*)::int from webhook_deliveries group by state`.execute(db)
  expect(rows).toEqual([{ state: 'delivered', count: 2 * events }])
})

const idOf = ({ headers }: Message) => headers['webhook-id'] as string

/** Returns the first arrival of each message. */
function firsts(received: readonly Message[]): Message[] {
  const seen = new Set<string>()
  return received.filter((message) => !seen.has(idOf(message)) && seen.add(idOf(message)))
}
