import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import { isOverdue } from '../queries.ts'

const expired = { status: 'expired', ended_at: sql<Date>`now()` }

/** Expires the acteur's overdue claims. Waits for decisions in progress; locks in the order that they use. */
export async function expireOverdueOf(db: Database, acteurId: string, ttlDays: number): Promise<string[]> {
  const rows = await db
    .updateTable('claims as c')
    .set(expired)
    .where(sql<boolean>`c.id = any(array(
      select c.id from claims c where c.acteur_id = ${acteurId} and ${isOverdue(ttlDays)}
      order by c.id for no key update))`)
    .returning('c.id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Expires a batch of overdue claims, oldest first, skipping locked rows. */
export async function expireOverdue(db: Database, ttlDays: number, limit: number): Promise<string[]> {
  const rows = await unprepared(db)
    .updateTable('claims')
    .set(expired)
    .where(sql<boolean>`id = any(array(
      select c.id from claims c where ${isOverdue(ttlDays)}
      order by c.created_at limit ${limit} for no key update skip locked))`)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
