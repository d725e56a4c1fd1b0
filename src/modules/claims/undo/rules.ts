import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import { settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict } from '../../../platform/errors.ts'
import type { DecidedItem, Undoable } from '../../../platform/undo.ts'
import { mailSent } from '../../recent-decisions/errors.ts'
import { authoriseDecision } from '../decide/authorise.ts'
import {
  type ClaimBefore,
  findMember,
  findUserForUpdate,
  getActeurForShare,
  updateUserVersion,
} from '../decide/queries.ts'
import { expireClaimOf } from '../expire.ts'
import type { ClaimRow } from '../queries.ts'
import { claim } from '../record.ts'
import { claimsSettings } from '../settings.ts'
import * as queries from './queries.ts'

const handedOver: readonly string[] = ['sending', 'sent', 'uncertain']

type Restorable = { now: ClaimRow; mayBeKnown: boolean; before: ClaimBefore }

/** Undoes decisions on claims: the claim and the rivals it rejected become pending again. */
export const undoClaims: Undoable = {
  lock: queries.lockWithRivals,
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
    if (await queries.hasPendingRival(tx, acteur_id, { decidedAt: decision.decided_at, anonymous }))
      throw conflict()
    if (!(await unlinkOwner(tx, acteur_id, decided.before))) return new Map()
    const versions = new Map<string, number>()
    for (const one of restorable) versions.set(one.now.id, await reopen(tx, caller, decision.id, one))
    return versions
  },
}

/** Finds the claims that have not changed since the decision. */
async function findUnchanged(tx: Database, items: DecidedItem[]): Promise<Restorable[]> {
  const claims = await queries.listClaimRows(
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
  if (!isDeepStrictEqual(await findMember(tx, acteurId, userId), after)) return false
  await queries.restoreMember(tx, acteurId, userId, before)
  if (before?.role !== 'owner') await updateUserVersion(tx, userId)
  return true
}

async function reopen(
  tx: Database,
  caller: SignedIn,
  decisionId: string,
  { now, before: { user_id, member } }: Restorable,
): Promise<number> {
  const after = await queries.reopenClaim(tx, now.id, user_id)
  await append(tx, caller, {
    action: 'claim.undo',
    kind: claim,
    entityId: now.id,
    before: { ...claim.auditedValues(now), membership: member?.after.role },
    after: { ...claim.auditedValues(after), membership: member?.before?.role, decision_id: decisionId },
  })
  return after.version
}
