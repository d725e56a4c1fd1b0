import type { Caller } from '../../../platform/access/caller.ts'
import { recordAudit } from '../../../platform/audit/record.ts'
import { create } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { ApiError, conflict, invalid, notFound, raise } from '../../../platform/errors.ts'
import { parseMailAddress } from '../../../platform/mail/mail-address.ts'
import { uuidv7 } from '../../../platform/uuid.ts'
import { claimConflict } from '../errors.ts'
import { expireClaimOf } from '../expire/rules.ts'
import type { ClaimRow } from '../queries.ts'
import { claim } from '../record.ts'
import * as queries from './queries.ts'
import type { ClaimCreate, SubmittedClaim } from './schema.ts'

/** Asks for an acteur. One whose pending claim is past its time is free, whether or not the job has come by. */
export async function submitClaim(
  db: Database,
  caller: Caller,
  { acteur_id, message, nom = null, email = null, telephone = null }: ClaimCreate,
  ttlDays: number,
): Promise<SubmittedClaim> {
  const contact = { nom, email: email === null ? null : readAddress(email), telephone }
  const user_id = caller.user?.id ?? null
  if (user_id === null && email === null && telephone === null) throw invalid('email', unreachable)
  const values = { id: uuidv7(), acteur_id, user_id, message, ...contact }
  try {
    return await create(db, caller, claim, { action: 'claim.create', read: submitted }, async (tx) => {
      if (!(await queries.isClaimable(tx, acteur_id))) throw notFound()
      if (isOwner(caller, acteur_id)) throw conflict()
      await expireClaimOf(tx, acteur_id, ttlDays)
      return (await queries.insertClaim(tx, values)) ?? raise(claimConflict())
    })
  } catch (error) {
    if (isConflict(error)) await recordConflict(db, caller, { acteur_id, user_id })
    throw error
  }
}

/** All that is told of it, and kept for a request that is sent again. */
const submitted = async (_tx: Database, { id }: ClaimRow): Promise<SubmittedClaim> => ({
  id,
  status: 'pending',
})

/** On the claim that stands in the way, for there is no other. In its own transaction: the refusal undoes the first. */
async function recordConflict(
  db: Database,
  caller: Caller,
  after: Pick<ClaimRow, 'acteur_id' | 'user_id'>,
): Promise<void> {
  const entityId = (await queries.findNewestClaimId(db, after.acteur_id)) ?? after.acteur_id
  await recordAudit(db, caller, { action: 'claim.conflict', kind: claim, entityId, before: null, after })
}

/** There is nothing left to ask for. */
const isOwner = ({ user }: Caller, acteurId: string) =>
  user?.memberships.some((membership) => membership.acteurId === acteurId && membership.role === 'owner')

const isConflict = (error: unknown) => error instanceof ApiError && error.code === claimConflict().code

/** In the form that mail is sent to, so that one address is one person. */
function readAddress(email: string): string {
  const address = parseMailAddress(email)
  if (address !== null) return address
  const message = { en: 'must be a valid e-mail address', fr: 'doit être une adresse e-mail valide' }
  throw invalid('email', message)
}

/** A claim that nobody stands behind could only be decided in the dark. */
const unreachable = {
  en: 'or a telephone is required, for nobody is signed in',
  fr: "ou un téléphone est requis, puisque personne n'est connecté",
}
