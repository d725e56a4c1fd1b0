import { type Caller, isAdmin, type User } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/record.ts'
import type { Database } from '../../platform/database/connect.ts'
import {
  adminRequired,
  conflict,
  forbidden,
  type Problem,
  raise,
  unauthenticated,
  validationFailed,
} from '../../platform/errors.ts'
import { requireVersion } from '../../platform/http/versions.ts'
import { parseMailAddress } from '../../platform/mail/mail-address.ts'
import type { Deps } from '../../platform/module.ts'
import { claimKind } from './audited.ts'
import { claimAlreadyDecided } from './errors.ts'
import { linkOwner } from './owners.ts'
import * as queries from './queries.decision.ts'
import type { ClaimRow } from './queries.ts'
import type { Decision } from './schema.ts'
import { tellClaimant } from './tell-claimant.ts'

type Tools = Pick<Deps, 'db' | 'jobs'> & { ttlDays: number }

/** The decision, the owner it makes, its trail and the mail that tells of it: all or nothing. */
export function decideClaim(
  { db, jobs, ttlDays }: Tools,
  caller: Caller,
  id: string,
  body: Decision,
): Promise<void> {
  const { status, reason = null, user_id } = body
  if (status === 'rejected' && user_id !== undefined) throw validationFailed([problems.stray])
  return db.transaction().execute(async (tx) => {
    const claim = await queries.getClaimForUpdate(tx, id, ttlDays)
    const acteur = await queries.getActeurForShare(tx, claim.acteur_id)
    const user = caller.user ?? raise(unauthenticated())
    if (await isOwn(tx, user, claim, body)) throw forbidden()
    if ((user_id !== undefined || acteur.type === 'mairie') && !isAdmin(user)) throw adminRequired()
    requireVersion(caller, claim)
    if (claim.status !== 'pending' || claim.overdue) throw claimAlreadyDecided()

    const link = status === 'approved' ? await approve(tx, claim, acteur, user_id) : null
    const claimant = link?.userId ?? claim.user_id
    const address = claim.email ?? (claimant && (await queries.findEmailOf(tx, claimant)))
    const mayTell = address !== null && parseMailAddress(address) !== null
    const decided = { status, reason, decided_by: user.id, user_id: claimant }
    const after = await queries.updateDecided(tx, id, decided, mayTell ? 'queued' : null)
    await recordAudit(tx, caller, {
      action: 'claim.decide',
      kind: claimKind,
      entityId: claim.id,
      before: { ...audited(claim), ...link?.before },
      after: { ...audited(after), ...link?.after },
    })
    if (mayTell) await jobs.enqueue(tx, tellClaimant, { claimId: id })
  })
}

/** Made by the caller, signed in or under their address, or to be decided in their own favour. */
async function isOwn(tx: Database, user: User, claim: ClaimRow, { user_id }: Decision): Promise<boolean> {
  if (claim.user_id === user.id || user_id === user.id) return true
  if (claim.email === null) return false
  const address = await queries.findEmailOf(tx, user.id)
  return address?.toLowerCase() === claim.email.toLowerCase()
}

/** Who asks is the claim's user; else who is named; else whoever proves the claim's address. */
async function approve(tx: Database, claim: ClaimRow, acteur: queries.ClaimedActeur, named?: string) {
  if (!acteur.active || acteur.deleted_at !== null) throw conflict()
  const userId = claim.user_id ?? named
  if (userId !== undefined) {
    const found = await queries.findUserForUpdate(tx, userId)
    return linkOwner(tx, acteur.id, found ?? raise(validationFailed([problems.unknown])), false)
  }
  if (claim.email === null) throw validationFailed([problems.missing])
  const { made, ...user } = await queries.findOrInsertUnboundUser(tx, claim.email, claim.nom)
  return linkOwner(tx, acteur.id, user, made)
}

/** What becomes of the mail is told by the mail. */
const audited = ({ email_status, overdue, ...claim }: ClaimRow & { overdue?: boolean }) => claim

const problems = {
  stray: { field: 'user_id', message: { en: 'goes with approved alone', fr: "ne va qu'avec approved" } },
  unknown: {
    field: 'user_id',
    message: { en: 'is not a known user', fr: "n'est pas un utilisateur connu" },
  },
  missing: {
    field: 'user_id',
    message: {
      en: 'is required: the claim tells neither a user nor an e-mail address',
      fr: "est requis : la demande n'indique ni utilisateur ni adresse e-mail",
    },
  },
} satisfies Record<string, Problem>
