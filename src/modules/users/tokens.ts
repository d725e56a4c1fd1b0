import type { Role } from '../../platform/access/areas.ts'
import { operator } from '../../platform/access/caller.ts'
import { findValidAfterErasure, identityDigest } from '../../platform/access/erased-identities.ts'
import { ownIssuer, signToken } from '../../platform/access/tokens.ts'
import { insertUser, lockIdentity } from '../../platform/access/users.ts'
import type { Database } from '../../platform/database/connect.ts'
import { foldMailAddress, parseMailAddress } from '../../platform/mail/mail-address.ts'
import { StartError } from '../../platform/start-error.ts'
import { uuidv7 } from '../../platform/uuid.ts'
import { findTokensValidFrom, findUserId, getUser, type Identity } from './queries.ts'
import { addRole, updateUser } from './rules.ts'

/** What the operator does from the machine itself, in nobody's name: rights and tokens before anybody can sign in. */

type Wish = { email: string; role: Role | null; secret: string; ttlS: number; now: Date }

/** A token of the service's own issuer, for a user made if needed, with this role if one is named. */
export async function grantAndSign(db: Database, { email, role, secret, ttlS, now }: Wish): Promise<string> {
  const identity = ownIdentity(email)
  const id = await grant(db, identity, role, secret)
  // Just after a revocation the date lies ahead, by no more than is forgiven: no token of before can have it.
  const validFrom = await findTokensValidFrom(db, id)
  const date = validFrom !== null && validFrom > now ? validFrom : now
  return signToken(secret, identity.subject, identity.email, ttlS, date)
}

/** Makes the user if needed, and gives it the role. Answers its id. The secret is what instances share. */
export async function grant(
  db: Database,
  identity: Identity & { email: string | null },
  role: Role | null,
  secret: string,
): Promise<string> {
  const id = await findOrInsert(db, identity, identityDigest(secret)(identity))
  const { actif } = await getUser(db, id)
  if (!actif)
    throw new StartError(`The user ${identity.subject} is disabled: an administrator can enable it.`)
  if (role !== null) await addRole(db, operator, id, role)
  return id
}

/** Every token of this user issued until now is refused. */
export async function revokeTokens(db: Database, identity: Identity, now: Date): Promise<void> {
  const id = await findUserId(db, identity)
  if (id === null) throw new StartError(`There is no user ${identity.subject}.`)
  await updateUser(db, operator, id, { revoke_tokens: true }, now)
}

/** The service's own issuer calls a user by its e-mail address. */
export function ownIdentity(email: string) {
  if (parseMailAddress(email) === null) throw new StartError(`${email} is not a plain e-mail address.`)
  const address = foldMailAddress(email)
  return { issuer: ownIssuer, subject: address, email: address }
}

/** One who was erased is made anew: tokens of before stay refused. */
function findOrInsert(
  db: Database,
  identity: Identity & { email: string | null },
  digest: string,
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    await lockIdentity(tx, identity)
    const known = await findUserId(tx, identity)
    if (known !== null) return known
    const id = uuidv7()
    const tokens_valid_from = await findValidAfterErasure(tx, digest)
    await insertUser(tx, operator, { id, ...identity, tokens_valid_from })
    return id
  })
}
