import type { SignedIn } from '../../../platform/access/caller.ts'
import { change } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, type Problem, raise, validationFailed } from '../../../platform/errors.ts'
import { parseMailAddress } from '../../../platform/mail/mail-address.ts'
import type { Deps } from '../../../platform/module.ts'
import { claimAlreadyDecided } from '../errors.ts'
import type { ClaimRow, Decided } from '../queries.ts'
import { claim } from '../record.ts'
import type { Claim } from '../schema.ts'
import { tellClaimant } from '../tell/jobs.ts'
import { authoriseDecision } from './authorise.ts'
import { linkOwner } from './owner.ts'
import * as queries from './queries.ts'
import type { Decision } from './schema.ts'

type Tools = Pick<Deps, 'db' | 'jobs'> & { ttlDays: number }

/** The decision, the owner it makes, its trail and the mail that tells of it: all or nothing. */
export async function decideClaim(
  { db, jobs, ttlDays }: Tools,
  caller: SignedIn,
  id: string,
  decision: Decision,
): Promise<Claim> {
  const { status, reason = null, user_id } = decision
  if (status === 'rejected' && user_id !== undefined) throw validationFailed([problems.stray])
  const asked = {
    id,
    action: 'claim.decide',
    authorise: (tx: Database, before: ClaimRow) => authoriseDecision(tx, caller.user, before, decision),
    read: (tx: Database) => queries.getClaim(tx, id, ttlDays),
  }
  return change(db, caller, claim, asked, async (tx, before, note): Promise<Decided> => {
    if (!(await queries.isDecidable(tx, id, ttlDays))) throw claimAlreadyDecided()
    const link = status === 'approved' ? await approve(tx, before, user_id) : null
    if (link !== null) note(link.after, link.before)
    const claimant = link?.userId ?? before.user_id
    const address = before.email ?? (claimant && (await queries.findEmailOf(tx, claimant)))
    const mayTell = address !== null && parseMailAddress(address) !== null
    if (mayTell) await jobs.enqueue(tx, tellClaimant, { claimId: before.id })
    return {
      status,
      reason,
      decided_by: caller.user.id,
      user_id: claimant,
      email_status: mayTell ? 'queued' : null,
    }
  })
}

/** Who asks is the claim's user; else who is named; else whoever proves the claim's address. */
async function approve(tx: Database, before: ClaimRow, named?: string) {
  const acteur = await queries.getActeurForShare(tx, before.acteur_id)
  if (!acteur.active || acteur.deleted_at !== null) throw conflict()
  const userId = before.user_id ?? named
  if (userId !== undefined) {
    const found = await queries.findUserForUpdate(tx, userId)
    return linkOwner(tx, acteur.id, found ?? raise(validationFailed([problems.unknown])), false)
  }
  if (before.email === null) throw validationFailed([problems.missing])
  const { made, ...user } = await queries.findOrInsertUnboundUser(tx, before.email, before.nom)
  return linkOwner(tx, acteur.id, user, made)
}

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
