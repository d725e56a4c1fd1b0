import type { SignedIn } from '../../../platform/access/caller.ts'
import { leftOf } from '../../../platform/access/rules.ts'
import { auditedUser } from '../../../platform/access/users.ts'
import type { Author } from '../../../platform/audit/record.ts'
import { append, change } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, type Problem, raise, type Text, validationFailed } from '../../../platform/errors.ts'
import { parseMailAddress } from '../../../platform/formats/mail-address.ts'
import { mailHoldMs } from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { newDecisionId, type RecordedItem, recordDecision } from '../../recent-decisions/recording.ts'
import { claimAlreadyDecided } from '../errors.ts'
import { notifyClaimant } from '../notify.ts'
import { type ClaimRow, isDecidable } from '../queries.ts'
import { claim } from '../record.ts'
import { settleRegistrations } from '../registered.ts'
import { claimActions } from '../schema.ts'
import { authoriseDecision } from './authorise.ts'
import * as queries from './queries.ts'
import type { DecidedClaim, Decision } from './schema.ts'

/** Changes made by linking an owner, for the audit log and for an undo. */
export type Link = {
  userId: string
  isNew: boolean
  member: queries.MemberRow | null
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** Makes a user (also an editor) an additional owner of an acteur. 409 if the user is disabled. */
export async function linkOwner(
  tx: Database,
  acteurId: string,
  user: queries.Claimant,
  isNew: boolean,
): Promise<Link> {
  if (!user.actif) throw conflict()
  const made = isNew ? { user_made: user.id } : {}
  const member = await queries.findMember(tx, acteurId, user.id)
  const link = { userId: user.id, isNew, member }
  const role = member?.role ?? null
  if (role !== 'owner') {
    await queries.upsertOwner(tx, acteurId, user.id)
    if (!isNew) await queries.updateUserVersion(tx, user.id)
  }
  if (member !== null && user.unbound) await queries.restartLapse(tx, acteurId, user.id)
  if (role === 'owner') return { ...link, before: {}, after: made }
  const before = role === null ? {} : { membership: role }
  return { ...link, before, after: { ...made, membership: 'owner' } }
}

type Tools = Pick<Deps, 'db' | 'jobs'> & { ttlDays: number }

/**
 * Decides a claim. An approval makes the claimant an owner and rejects the other pending claims of the acteur. The
 * decision, its audit entries and its mails commit together.
 */
export async function decideClaim(
  { db, jobs, ttlDays }: Tools,
  caller: SignedIn,
  id: string,
  decision: Decision,
): Promise<DecidedClaim> {
  const { status, reason = null, user_id } = decision
  if (status === 'rejected' && user_id !== undefined) throw validationFailed([problems.stray])
  const decisionId = newDecisionId()
  const asked = {
    id,
    action: 'claim.decide',
    authorise: (tx: Database, before: ClaimRow) => authoriseDecision(tx, caller.user, before, decision),
  }
  return change(db, caller, claimWithRivals, asked, async (tx, before, save) => {
    if (!(await isDecidable(tx, id, ttlDays))) throw claimAlreadyDecided()
    const link = status === 'approved' ? await approve(tx, caller, before, user_id) : null
    const item = await itemOf(tx, before, link)
    const rivals =
      status === 'approved' ? await rejectRivals({ jobs, ttlDays }, tx, caller, before, decisionId) : []
    const claimant = link?.userId ?? before.user_id
    const email_status = await queueMail(jobs, tx, { ...before, user_id: claimant }, decisionId)
    const values = { status, reason, decided_by: caller.user.id, user_id: claimant, email_status }
    const related = link === null ? {} : { before: link.before, after: link.after }
    await save({ ...values, decision_id: decisionId }, related)
    await settleRegistrations(tx, caller, [id], status)
    const recorded = { id: decisionId, kind: 'claim', action: 'claim.decide', outcome: status } as const
    const decision_id = await recordDecision(tx, caller, recorded, [item, ...rivals])
    const decided = await queries.getClaim(tx, id, ttlDays)
    return { ...decided, can: leftOf(claimActions, decided), decision_id }
  })
}

const claimWithRivals = { ...claim, lock: queries.getClaimWithRivalsForUpdate } satisfies typeof claim

/** Returns what an undo needs. A decision changes the claim once, so its version grows by one. */
async function itemOf(tx: Database, before: ClaimRow, link: Link | null): Promise<RecordedItem> {
  const member = link && (await memberOf(tx, before.acteur_id, link))
  const kept: queries.ClaimBefore = { isRival: false, user_id: before.user_id, member }
  return { record_id: before.id, version_before: before.version, version: before.version + 1, before: kept }
}

async function memberOf(tx: Database, acteurId: string, { userId, isNew, member }: Link) {
  const now = await queries.findMember(tx, acteurId, userId)
  if (now === null) throw new Error('no membership')
  return { userId, isNew, before: member, after: now }
}

/** Queues the mail to the claimant, delayed while an undo is possible; null if there is no usable address. */
export async function queueMail(
  jobs: Tools['jobs'],
  tx: Database,
  { id, email, user_id }: Pick<ClaimRow, 'id' | 'email' | 'user_id'>,
  decisionId: string,
): Promise<'queued' | null> {
  const address = email ?? (user_id && (await queries.findEmailOf(tx, user_id)))
  if (address === null || parseMailAddress(address) === null) return null
  const startAfter = new Date(Date.now() + mailHoldMs)
  await jobs.enqueue(tx, notifyClaimant, { claimId: id, decisionId }, { startAfter })
  return 'queued'
}

/** Rejects the other pending claims after an approval, each with its mail and audit entry. */
async function rejectRivals(
  { jobs, ttlDays }: Pick<Tools, 'jobs' | 'ttlDays'>,
  tx: Database,
  caller: SignedIn,
  approved: ClaimRow,
  decision_id: string,
): Promise<RecordedItem[]> {
  const items: RecordedItem[] = []
  for (const before of await queries.listRivals(tx, approved, ttlDays)) {
    const after = await rejectClaim(tx, jobs, caller, before, { reasons: anotherApproved, decision_id })
    const kept: queries.ClaimBefore = { isRival: true, user_id: before.user_id, member: null }
    items.push({ record_id: before.id, version_before: before.version, version: after.version, before: kept })
  }
  return items
}

/**
 * Rejects a locked pending claim because of a decision on another one, with its mail and audit entry. The mail quotes the
 * reason, so it is in the claimant's language.
 */
export async function rejectClaim(
  tx: Database,
  jobs: Tools['jobs'],
  author: Author,
  before: ClaimRow,
  { reasons, decision_id }: { reasons: Text; decision_id: string },
): Promise<ClaimRow> {
  const decided_by = author.user?.id ?? null
  const reason = reasons[before.user_id === null ? 'fr' : await queries.getLangueOf(tx, before.user_id)]
  const email_status = await queueMail(jobs, tx, before, decision_id)
  const rejected = { status: 'rejected' as const, reason, decided_by, decision_id }
  const after = await claim.write(tx, before, { ...rejected, user_id: before.user_id, email_status })
  await settleRegistrations(tx, author, [before.id], 'rejected')
  await append(tx, author, {
    action: 'claim.decide',
    kind: claim,
    entityId: before.id,
    before: claim.auditedValues(before),
    after: claim.auditedValues(after),
  })
  return after
}

const anotherApproved = {
  en: 'Another request for this page was accepted.',
  fr: 'Une autre demande pour cette page a été acceptée.',
}

/**
 * Finds the new owner: the claim's user; else the named user; else the only account that has verified the
 * claim's address; else a user created for that address, which its first verified sign-in takes over.
 */
async function approve(tx: Database, caller: SignedIn, before: ClaimRow, named?: string) {
  const acteur = await queries.getActeurForShare(tx, before.acteur_id)
  // A merge is about to move the claim; it can then be decided on the target.
  if (!acteur.active || acteur.deleted_at !== null || acteur.merged_into !== null) throw conflict()
  const userId = before.user_id ?? named
  if (userId !== undefined) {
    const found = await queries.findUserForUpdate(tx, userId)
    return linkOwner(tx, acteur.id, found ?? raise(validationFailed([problems.unknown])), false)
  }
  if (before.email === null) throw validationFailed([problems.missing])
  const [proven, ...others] = await queries.listProvenUsersForUpdate(tx, before.email)
  // Chooses none of several accounts: the next to sign in becomes owner, or an administrator names one.
  if (proven !== undefined && others.length === 0) return linkOwner(tx, acteur.id, proven, false)
  const { made, ...user } = await queries.findOrInsertUnboundUser(tx, before.email, before.nom)
  if (made) {
    const after = { email: before.email, nom: before.nom }
    const change = { kind: auditedUser, entityId: user.id, after }
    await append(tx, caller, { action: 'user.create', ...change })
  }
  return linkOwner(tx, acteur.id, user, made)
}

const problems = {
  stray: {
    field: 'user_id',
    message: { en: 'is only allowed with approved', fr: 'n’est possible qu’avec approved' },
  },
  unknown: {
    field: 'user_id',
    message: { en: 'is not a known user', fr: 'n’est pas un compte connu' },
  },
  missing: {
    field: 'user_id',
    message: {
      en: 'is required: the claim names neither a user nor an e-mail address',
      fr: 'est requis : la revendication n’indique ni compte ni adresse e-mail',
    },
  },
} satisfies Record<string, Problem>
