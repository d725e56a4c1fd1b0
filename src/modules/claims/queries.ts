import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type * as tables from '../../platform/database/types.generated.ts'

export type ClaimRow = Pick<Selectable<tables.Claims>, (typeof columns)[number]>

export const columns = [
  'id',
  'acteur_id',
  'user_id',
  'nom',
  'email',
  'telephone',
  'message',
  'status',
  'reason',
  'decided_by',
  'ended_at',
  'email_status',
  'version',
  'created_at',
  'updated_at',
] as const

export async function isClaimable(db: Database, acteurId: string): Promise<boolean> {
  const row = await db
    .selectFrom('acteurs')
    .select('id')
    .where('id', '=', acteurId)
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Null when the acteur has a pending claim, also one that is made at this moment. */
export async function insertClaim(db: Database, values: Insertable<tables.Claims>): Promise<ClaimRow | null> {
  const row = await db
    .insertInto('claims')
    .values(values)
    .onConflict((conflict) => conflict.column('acteur_id').where('status', '=', 'pending').doNothing())
    .returning(columns)
    .executeTakeFirst()
  return row ?? null
}

/** The claim that another one met. */
export async function findNewestClaimId(db: Database, acteurId: string): Promise<string | null> {
  const row = await db
    .selectFrom('claims')
    .select('id')
    .where('acteur_id', '=', acteurId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** A pending claim is past its time when it was made before. */
export const deadline = (ttlDays: number) => sql<Date>`now() - make_interval(days => ${ttlDays}::int)`

/** Pending, and past its time, whether or not the job has come by since. Over `claims c`. */
export const isOverdue = (ttlDays: number) =>
  sql<boolean>`(c.status = 'pending' and c.created_at < ${deadline(ttlDays)})`

/** Ends the acteur's claim that is past its time; waits for who is about to decide it. */
export async function expireClaimOf(db: Database, acteurId: string, ttlDays: number): Promise<string[]> {
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
export async function expireClaims(db: Database, ttlDays: number, limit: number): Promise<string[]> {
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

const expired = { status: 'expired', ended_at: sql<Date>`now()` }
