import type { Database } from '../../../platform/database/connect.ts'
import type { EventStatus, StoredFields } from '../kinds.ts'

export type NewEvent = {
  id: string
  type: string
  occurred_at: Date | null
  status: EventStatus
  ended_at: Date | null
  fields: StoredFields | null
  /** Defaults to now. */
  received_at?: Date
}

/** Inserts an event; false if it already exists. Waits for a concurrent insert. */
export async function insertEvent(db: Database, { fields, ...event }: NewEvent): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('payment_events')
    .values({ ...event, fields: fields && JSON.stringify(fields) })
    .onConflict((conflict) => conflict.constraint('payment_events_pkey').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
