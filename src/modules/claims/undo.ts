import { sql } from 'kysely'
import type { SignedIn } from '../../platform/access/caller.ts'
import { append } from '../../platform/change.ts'
import { settingsOf } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict } from '../../platform/errors.ts'
import type { DecidedItem, Undoable } from '../../platform/undo.ts'
import { mailSent } from '../recent-decisions/errors.ts'
import { authoriseDecision } from './decide/authorise.ts'
import {
  type ClaimBefore,
  findMember,
  findUserForUpdate,
  getActeurForShare,
  type MemberRow,
  updateUserVersion,
} from './decide/queries.ts'
import { expireClaimOf } from './expire.ts'
import { type ClaimRow, columns } from './queries.ts'
import { claim } from './record.ts'
import { settleRegistrations } from './registered.ts'
import { claimsSettings } from './settings.ts'

/** Locks claims and the pending claims of their acteurs, in the order that decisions use. */
async function lockWithRivals(tx: Database, ids: string[]): Promise<void> {
  await sql`
    select from claims c where c.id = any(${ids}::uuid[])
      or (c.status = 'pending' and c.acteur_id in (select acteur_id from claims where id = any(${ids}::uuid[])))
    order by c.id for no key update`.execute(tx)
}

/** A decided claim, and whether an earlier attempt may have mailed the decision. */
type DecidedRow = ClaimRow & { may_have_arrived: boolean }

async function listClaimRows(tx: Database, ids: string[]): Promise<DecidedRow[]> {
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
async function hasPendingRival(
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
async function reopenClaim(tx: Database, id: string, userId: string | null): Promise<ClaimRow> {
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

/** Deletes a membership, or restores its role and its time. */
async function restoreMember(
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

const handedOver: readonly string[] = ['sending', 'sent', 'uncertain']

type Restorable = { now: ClaimRow; mayBeKnown: boolean; before: ClaimBefore }

/** Undoes decisions on claims: the claim and the rivals it rejected become pending again. */
export const undoClaims: Undoable = {
  lock: lockWithRivals,
  isRestorable: sql`i.before ->> 'isRival' = 'false' and exists (
    select from claims c
    where c.id = i.record_id and c.version = i.version and not c.may_have_arrived
      and (c.email_status is null or c.email_status <> all(${[...handedOver]}::text[])))`,
  title: sql`(select a.nom from claims c join acteurs a on a.id = c.acteur_id where c.id = i.record_id)`,
  async restore(tx, { config }, caller, decision, items) {
    const restorable = await findUnchanged(tx, items)
    const decided = restorable.find(({ before }) => !before.isRival)
    // If the claim stays approved, its rivals stay rejected.
    if (decided === undefined) return new Map()
    const { acteur_id, status } = decided.now
    await authoriseDecision(tx, caller.user, decided.now, { status: status as 'approved' | 'rejected' })
    if ((await getActeurForShare(tx, acteur_id)).merged_into !== null) throw conflict()
    if (restorable.some(({ mayBeKnown }) => mayBeKnown)) throw mailSent()
    await expireClaimOf(tx, acteur_id, settingsOf(config, claimsSettings).ttlDays)
    const anonymous = restorable.map(({ before }) => before.user_id === null)
    if (await hasPendingRival(tx, acteur_id, { decidedAt: decision.decided_at, anonymous })) throw conflict()
    if (!(await unlinkOwner(tx, acteur_id, decided.before))) return new Map()
    const versions = new Map<string, number>()
    for (const one of restorable) versions.set(one.now.id, await reopen(tx, caller, decision.id, one))
    await settleRegistrations(tx, caller, [...versions.keys()], 'pending')
    return versions
  },
}

/** Finds the claims that have not changed since the decision. */
async function findUnchanged(tx: Database, items: DecidedItem[]): Promise<Restorable[]> {
  const claims = await listClaimRows(
    tx,
    items.map(({ record_id }) => record_id),
  )
  const rows = new Map(claims.map((row) => [row.id, row]))
  return items.flatMap(({ record_id, version, before }) => {
    const row = rows.get(record_id)
    if (row?.version !== version) return []
    const { may_have_arrived, ...now } = row
    return [{ now, mayBeKnown: may_have_arrived || isMailSent(now), before: before as ClaimBefore }]
  })
}

/** True if the mail was handed over, or may have been. */
const isMailSent = ({ email_status }: ClaimRow) => email_status !== null && handedOver.includes(email_status)

/** Revokes the ownership that an approval granted. False if the membership has changed since. */
async function unlinkOwner(tx: Database, acteurId: string, { member }: ClaimBefore): Promise<boolean> {
  if (member === null) return true
  const { userId, before, after } = member
  await findUserForUpdate(tx, userId)
  const now = await findMember(tx, acteurId, userId)
  if (now?.role !== after.role || now.created_at !== after.created_at) return false
  await restoreMember(tx, acteurId, userId, before)
  if (before?.role !== 'owner') await updateUserVersion(tx, userId)
  return true
}

async function reopen(
  tx: Database,
  caller: SignedIn,
  decisionId: string,
  { now, before: { user_id, member } }: Restorable,
): Promise<number> {
  const after = await reopenClaim(tx, now.id, user_id)
  await append(tx, caller, {
    action: 'claim.undo',
    kind: claim,
    entityId: now.id,
    before: { ...claim.auditedValues(now), membership: member?.after.role },
    after: {
      ...claim.auditedValues(after),
      membership: member?.before?.role,
      decision_id: decisionId,
    },
  })
  return after.version
}
