import { setTimeout as sleep } from 'node:timers/promises'
import type { Role } from '../../platform/access/areas.ts'
import { operator } from '../../platform/access/caller.ts'
import { findValidAfterErasure, type LoadDigests } from '../../platform/access/erased-identities.ts'
import { ownIssuer, signToken, validFromAfterRevocation } from '../../platform/access/tokens.ts'
import { auditedUser, insertUser, lockIdentity } from '../../platform/access/users.ts'
import { append } from '../../platform/change.ts'
import { StartError } from '../../platform/config/start-error.ts'
import type { Database } from '../../platform/database/connect.ts'
import { foldMailAddress, parseMailAddress } from '../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { findTokensValidFrom, findUserId, getUser, type Identity, lockUnbound, takeOver } from './queries.ts'
import { addRole, updateUser } from './rules.ts'

/** Commands for the operator on the machine itself: roles and tokens before anybody can sign in. */

type Wish = {
  email: string
  role: Role | null
  secret: string
  digests: LoadDigests
  ttlS: number
  now: Date
}

/** Issues a token of the service's own issuer for a user, created if needed, and grants the role if one is given. */
export async function grantAndSign(
  db: Database,
  { email, role, secret, digests, ttlS, now }: Wish,
): Promise<string> {
  const identity = ownIdentity(email)
  const { id } = await grant(db, identity, role, digests)
  // After a revocation `validFrom` lies in the future, so that it is later than every earlier token. Rounded
  // up to whole seconds, it may exceed the accepted clock difference by less than a second: wait for that.
  const validFrom = await findTokensValidFrom(db, id)
  const seconds = Math.max(Math.floor(now.getTime() / 1_000), Math.ceil((validFrom?.getTime() ?? 0) / 1_000))
  const date = new Date(seconds * 1_000)
  await sleep(Math.max(0, date.getTime() + 1 - validFromAfterRevocation(now).getTime()))
  return signToken(secret, identity.subject, identity.email, ttlS, date)
}

/** Creates the user if needed, grants the role, and returns the user's id. */
export async function grant(
  db: Database,
  identity: Identity & { email: string | null },
  role: Role | null,
  digests: LoadDigests,
): Promise<{ id: string; isNew: boolean }> {
  const digestOf = await digests(db)
  const { id, isNew } = await findOrInsert(db, identity, digestOf(identity))
  const { actif } = await getUser(db, id)
  if (!actif)
    throw new StartError(`The user ${identity.subject} is disabled: an administrator can enable it.`)
  if (role !== null) await addRole(db, operator, id, role)
  return { id, isNew }
}

/** Revokes every token of this user issued until now. */
export async function revokeTokens(db: Database, identity: Identity, now: Date): Promise<void> {
  const id = await findUserId(db, identity)
  if (id === null) {
    const of = identity.issuer === ownIssuer ? '' : ` of ${identity.issuer}`
    throw new StartError(`There is no user ${identity.subject}${of}.`)
  }
  await updateUser(db, operator, id, { revoke_tokens: true }, now)
}

/** The service's own issuer identifies users by e-mail address. */
export function ownIdentity(email: string) {
  if (parseMailAddress(email) === null) throw new StartError(`${email} is not a plain e-mail address.`)
  const address = foldMailAddress(email)
  return { issuer: ownIssuer, subject: address, email: address }
}

/**
 * Finds or creates the user of an identity. The account that a claim created for its address becomes this user. Tokens
 * issued before an erasure of the identity stay refused.
 */
function findOrInsert(
  db: Database,
  identity: Identity & { email: string | null },
  digests: string[],
): Promise<{ id: string; isNew: boolean }> {
  return db.transaction().execute(async (tx) => {
    await lockIdentity(tx, identity)
    const known = await findUserId(tx, identity)
    if (known !== null) return { id: known, isNew: false }
    const tokens_valid_from = await findValidAfterErasure(tx, digests)
    const unbound = identity.issuer === ownIssuer ? await lockUnbound(tx, identity.subject) : null
    if (unbound !== null) {
      await takeOver(tx, unbound.id, { address: identity.subject, validFrom: tokens_valid_from })
      const after = { issuer: identity.issuer, subject: identity.subject }
      const before = { issuer: null, subject: null }
      await append(tx, operator, {
        action: 'user.bind',
        kind: auditedUser,
        entityId: unbound.id,
        before,
        after,
      })
      return { id: unbound.id, isNew: false }
    }
    const id = uuidv7()
    await insertUser(tx, operator, { id, ...identity, tokens_valid_from })
    return { id, isNew: true }
  })
}
