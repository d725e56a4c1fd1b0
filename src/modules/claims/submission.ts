import type { Caller } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/record.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { parseMailAddress } from '../../platform/mail/mail-address.ts'
import { uuidv7 } from '../../platform/uuid.ts'
import { claimKind } from './audited.ts'
import { claimConflict } from './errors.ts'
import { recordExpired } from './expiry.ts'
import * as queries from './queries.ts'
import type { ClaimCreate } from './schema.ts'

/** Asks for an acteur. One whose pending claim is past its time is free, whether or not the job has come by. */
export async function submitClaim(
  db: Database,
  caller: Caller,
  { acteur_id, message, nom = null, email = null, telephone = null }: ClaimCreate,
  ttlDays: number,
): Promise<string> {
  const contact = { nom, email: email === null ? null : readAddress(email), telephone }
  const user_id = caller.user?.id ?? null
  const { made, met } = await db.transaction().execute(async (tx) => {
    if (!(await queries.isClaimable(tx, acteur_id))) throw notFound()
    await recordExpired(tx, await queries.expireClaimOf(tx, acteur_id, ttlDays))
    const claim = await queries.insertClaim(tx, { id: uuidv7(), acteur_id, user_id, message, ...contact })
    if (claim === null) return { made: null, met: await queries.findNewestClaimId(tx, acteur_id) }
    const change = { kind: claimKind, entityId: claim.id, before: null, after: claim } as const
    await recordAudit(tx, caller, { action: 'claim.create', ...change })
    return { made: claim.id, met: null }
  })
  if (made !== null) return made
  // On the claim that stands in the way, for there is no other. Its own transaction: the refusal changes nothing else.
  const after = { acteur_id, user_id }
  const change = { kind: claimKind, entityId: met ?? after.acteur_id, before: null, after } as const
  await recordAudit(db, caller, { action: 'claim.conflict', ...change })
  throw claimConflict()
}

/** In the form that mail is sent to, so that one address is one person. */
function readAddress(email: string): string {
  const address = parseMailAddress(email)
  if (address !== null) return address
  const message = { en: 'must be a valid e-mail address', fr: 'doit être une adresse e-mail valide' }
  throw invalid('email', message)
}
