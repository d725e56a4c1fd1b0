import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { MemberRow } from '../decide/queries.ts'
import { type ClaimRow, columns } from '../queries.ts'

/** Locks claims and the pending claims of their acteurs, in the order that decisions use. */
export async function lockWithRivals(tx: Database, ids: string[]): Promise<void> {
  await sql`
    select from claims c where c.id = any(${ids}::uuid[])
      or (c.status = 'pending' and c.acteur_id in (select acteur_id from claims where id = any(${ids}::uuid[])))
    order by c.id for no key update`.execute(tx)
}

/** A decided claim, and whether an earlier attempt may have mailed the decision. */
export type DecidedRow = ClaimRow & { may_have_arrived: boolean }

export async function listClaimRows(tx: Database, ids: string[]): Promise<DecidedRow[]> {
  return tx
    .selectFrom('claims')
    .select([...columns, 'may_have_arrived'])
    .$castTo<DecidedRow>()
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/**
 * True if a pending claim is newer than the decision, or of the same kind (anonymous or signed-in) as a claim
 * to restore.
 */
export async function hasPendingRival(
  tx: Database,
  acteurId: string,
  { decidedAt, anonymous }: { decidedAt: Date; anonymous: boolean[] },
): Promise<boolean> {
  const { rows } = await sql`
    select from claims
    where acteur_id = ${acteurId} and status = 'pending'
      and (created_at > ${decidedAt} or (user_id is null) = any(${anonymous}::boolean[])) limit 1`.execute(tx)
  return rows.length > 0
}

/** Makes a decided claim pending again. */
export async function reopenClaim(tx: Database, id: string, userId: string | null): Promise<ClaimRow> {
  return tx
    .updateTable('claims')
    .set({
      status: 'pending',
      user_id: userId,
      reason: null,
      decided_by: null,
      ended_at: null,
      decision_id: null,
      email_status: null,
      email_status_at: null,
      email_error: null,
    })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<ClaimRow>()
    .executeTakeFirstOrThrow()
}

/** Deletes a membership, or restores its role and time. */
export async function restoreMember(
  tx: Database,
  acteurId: string,
  userId: string,
  before: MemberRow | null,
): Promise<void> {
  await (before === null
    ? sql`delete from actor_users where acteur_id = ${acteurId} and user_id = ${userId}`
    : sql`
        update actor_users set role = ${before.role}, created_at = ${before.created_at}::timestamptz
        where acteur_id = ${acteurId} and user_id = ${userId}`
  ).execute(tx)
}
