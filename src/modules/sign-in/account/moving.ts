import { sql } from 'kysely'
import type { SignedIn } from '../../../platform/access/caller.ts'
import {
  type DigestIdentity,
  findValidAfterErasure,
  rememberErased,
} from '../../../platform/access/erased-identities.ts'
import { ownIssuer, validFromAfterRevocation } from '../../../platform/access/tokens.ts'
import { auditedUser, foldedEmail, lockIdentity, ownIdentity } from '../../../platform/access/users.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflictOf } from '../../../platform/errors.ts'
import { closeChallengesOf } from '../confirmation.ts'

type OwnAccount = { email: string | null; subject: string; actif: boolean }

/** Locks an account of the service's own issuer; null if there is none, or if it was erased. */
export async function lockOwnAccount(tx: Database, userId: string): Promise<OwnAccount | null> {
  const { rows } = await sql<OwnAccount>`
    select email, subject, actif from users
    where id = ${userId} and issuer = ${ownIssuer} and erased_at is null for update`.execute(tx)
  return rows[0] ?? null
}

type Move = {
  caller: SignedIn
  action: 'user.address' | 'user.address_undo'
  userId: string
  before: OwnAccount
  address: string
  digestOf: DigestIdentity
  now: Date
}

/**
 * Gives an account, whose row is locked, another address; 409 if another account has it. The address is also the
 * identity of the account, so tokens issued and links and codes mailed to the former one are refused from now on.
 */
export async function moveAccount(
  tx: Database,
  { caller, action, userId, before: { email, subject }, address, digestOf, now }: Move,
): Promise<void> {
  const identity = ownIdentity(address)
  await lockIdentity(tx, identity)
  if (await isTaken(tx, userId, identity.subject)) throw conflictOf(taken)
  const validFrom = await findValidAfterErasure(tx, digestOf(identity))
  const former = digestOf({ issuer: ownIssuer, subject }).slice(0, 1)
  await rememberErased(tx, former, validFromAfterRevocation(now))
  await sql`
    update users set email = ${address}, email_verified = true, subject = ${identity.subject},
      tokens_valid_from = greatest(tokens_valid_from, ${validFrom}::timestamptz)
    where id = ${userId}`.execute(tx)
  await closeChallengesOf(tx, userId)
  await append(tx, caller, {
    action,
    kind: auditedUser,
    entityId: userId,
    before: { email, subject },
    after: { email: address, subject: identity.subject },
  })
}

const taken = {
  en: 'Another account has this address: ask an administrator.',
  fr: 'Un autre compte a cette adresse : adressez-vous à un administrateur.',
}

/** True if another account of this service has the address, or one that a claim created: its owner signs in to it. */
async function isTaken(tx: Database, userId: string, address: string): Promise<boolean> {
  const { rows } = await sql`
    select from users where id <> ${userId} and (
      (issuer = ${ownIssuer} and subject = ${address})
      or ((issuer = ${ownIssuer} or issuer is null) and ${foldedEmail} = ${address})) limit 1`.execute(tx)
  return rows.length > 0
}
