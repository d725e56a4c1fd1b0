import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { type Claim, isPending, stored } from './schema.ts'

type StoredField = keyof typeof stored
export type ClaimRow = Pick<Claim, StoredField> & { ended_at: Date | null }
export type ClaimDecision = Pick<
  ClaimRow,
  'status' | 'reason' | 'decided_by' | 'user_id' | 'email_status'
> & {
  decision_id: string
}

export const columns = [...(Object.keys(stored) as StoredField[]), 'ended_at'] as const

export async function getClaimForUpdate(db: Database, id: string): Promise<ClaimRow> {
  const row = await db
    .selectFrom('claims')
    .select(columns)
    .$castTo<ClaimRow>()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? raise(notFound())
}

export async function updateClaim(db: Database, id: string, values: ClaimDecision): Promise<ClaimRow> {
  return db
    .updateTable('claims')
    .set({ ...values, ended_at: sql`now()`, email_status_at: values.email_status && sql`now()` })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<ClaimRow>()
    .executeTakeFirstOrThrow()
}

/** Pending claims created before this time are overdue, unless their expiry waited for an answer. */
const deadline = (ttlDays: number): RawBuilder<Date> =>
  sql<Date>`now() - make_interval(days => ${ttlDays}::int)`

/** True if the claim is shown as pending. */
export async function isDecidable(db: Database, id: string, ttlDays: number): Promise<boolean> {
  const { rows } = await sql<{ status: string }>`
    select ${shownStatus(ttlDays)} as status from claims c where c.id = ${id}`.execute(db)
  return rows.some(isPending)
}

/** Time of the decision; null if undecided. For `claims c`, in the form that the indexes use. */
export const decidedAt = sql<Date | null>`case when c.status in ('approved', 'rejected') then c.ended_at end`

/** Status as shown: overdue claims are expired, whether or not the job has run. For `claims c`. */
export const shownStatus = (ttlDays: number): RawBuilder<string> =>
  sql<string>`case when ${isOverdue(ttlDays)} then 'expired' else c.status end`

/**
 * Pending and overdue, whether or not the job has run. For `claims c`. The wait for an answer extends the
 * deadline, so a waiting claim is never overdue. The first condition matches the index.
 */
export const isOverdue = (ttlDays: number): RawBuilder<boolean> =>
  sql<boolean>`(c.status = 'pending' and c.created_at < ${deadline(ttlDays)}
    and c.created_at + ${waited} < ${deadline(ttlDays)})`

export type Claimability = 'open' | 'pending' | 'owned'

/** Returns what a visitor who wants to claim an acteur meets: its owner, the claim of somebody else, or neither. */
export async function readClaimability(
  db: Database,
  acteurId: string,
  ttlDays: number,
): Promise<Claimability> {
  const { rows } = await sql<{ state: Claimability }>`
    select case
      when exists (select from actor_users where acteur_id = ${acteurId} and role = 'owner') then 'owned'
      when exists (select from claims c
        where c.acteur_id = ${acteurId} and c.status = 'pending' and not ${isOverdue(ttlDays)}) then 'pending'
      else 'open' end as state`.execute(db)
  return rows[0]?.state ?? 'open'
}

/** Time when a pending claim expires. For `claims c`. */
export const expiry = (ttlDays: number): RawBuilder<Date> =>
  sql<Date>`c.created_at + make_interval(days => ${ttlDays}::int) + ${waited}`

/** Total time that the expiry waits for an answer. For `claims c`. */
const waited = sql`coalesce(c.waits_until - c.asked_at, interval '0')`
