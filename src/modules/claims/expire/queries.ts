import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { isOverdue } from '../queries.ts'

const expired = { status: 'expired', ended_at: sql<Date>`now()` }

/** Ends the acteur's claim that is past its time; waits for who is about to decide it. */
export async function expireOverdueOf(db: Database, acteurId: string, ttlDays: number): Promise<string[]> {
  const rows = await db
    .updateTable('claims as c')
    .set(expired)
    .where('c.acteur_id', '=', acteurId)
    .where(isOverdue(ttlDays))
    .returning('c.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Ends some that are past their time, the oldest first, without waiting for any. */
export async function expireOverdue(db: Database, ttlDays: number, limit: number): Promise<string[]> {
  const rows = await db
    .updateTable('claims')
    .set(expired)
    .where(sql<boolean>`id = any(array(
      select c.id from claims c where ${isOverdue(ttlDays)}
      order by c.created_at limit ${limit} for no key update skip locked))`)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
