import type { Database } from '../../../platform/database/connect.ts'
import type { EventStatus } from '../kinds.ts'
import type { KeptFields } from './kept-fields.ts'

export type NewEvent = {
  id: string
  type: string
  occurred_at: Date | null
  status: EventStatus
  ended_at: Date | null
  fields: KeptFields | null
  /** Now, where it is left out. */
  received_at?: Date
}

/** False when it is there already; one that is being recorded at this moment is waited for. */
export async function insertEvent(db: Database, { fields, ...event }: NewEvent): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('payment_events')
    .values({ ...event, fields: fields && JSON.stringify(fields) })
    .onConflict((conflict) => conflict.constraint('payment_events_pkey').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
