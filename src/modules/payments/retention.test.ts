import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { insertEvent, newEvent } from './inbox/rules.ts'
import { emptyEvents } from './module.ts'
import { applyNow, event } from './payments.test-kit.ts'

const { db } = await openWorld()

async function received(id: string, before: string) {
  const received_at = sql<Date>`now() - ${before}::interval`
  await db.updateTable('payment_events').set({ received_at }).where('id', '=', id).execute()
}

test('empties the payload of old finished events and keeps their result', async () => {
  const [old, recent, waiting] = [event('invoice.paid'), event('invoice.paid'), event('invoice.paid')]
  await applyNow(db, old)
  await applyNow(db, recent)
  await insertEvent(db, newEvent(waiting, new Date()))
  await received(old.id, '13 months 1 day')
  await received(recent.id, '12 months 20 days')
  await received(waiting.id, '14 months')
  expect(await emptyEvents(db, 13, 100)).toBe(1)
  const rows = await db
    .selectFrom('payment_events')
    .select(['id', 'status', 'fields'])
    .orderBy('id')
    .execute()
  expect(rows.map(({ id, fields }) => [id, fields !== null])).toEqual(
    [[old.id, false] as const, [recent.id, true] as const, [waiting.id, true] as const].sort(),
  )
  expect(rows).toContainEqual({ id: old.id, status: 'processed', fields: null })
  expect(await emptyEvents(db, 13, 100)).toBe(0)
})
