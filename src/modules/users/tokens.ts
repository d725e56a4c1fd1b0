import type { Role } from '../../platform/access/areas.ts'
import { operator } from '../../platform/access/caller.ts'
import { ownIssuer, signToken } from '../../platform/access/tokens.ts'
import { lockIdentity } from '../../platform/access/users.ts'
import { recordAudit } from '../../platform/audit/record.ts'
import type { Database } from '../../platform/database/connect.ts'
import { raise } from '../../platform/errors.ts'
import { foldMailAddress, parseMailAddress } from '../../platform/mail/mail-address.ts'
import { StartError } from '../../platform/start-error.ts'
import { findUserId, getUser, type Identity, insertUser } from './queries.ts'
import { user } from './record.ts'
import { addRole, updateUser } from './rules.ts'

/** What the operator does from the machine itself, in nobody's name: rights and tokens before anybody can sign in. */

type Wish = { email: string; role: Role | null; secret: string; ttlS: number; now: Date }

/** A token of the service's own issuer, for a user made if needed, with this role if one is named. */
export async function grantAndSign(db: Database, { email, role, secret, ttlS, now }: Wish): Promise<string> {
  const identity = ownIdentity(email)
  await grant(db, identity, role)
  return signToken(secret, identity.subject, identity.email, ttlS, now)
}

/** Makes the user if needed, and gives it the role. */
export async function grant(db: Database, identity: Identity & { email: string | null }, role: Role | null) {
  const id = await findOrInsert(db, identity)
  const { actif } = await getUser(db, id)
  if (!actif)
    throw new StartError(`The user ${identity.subject} is disabled: an administrator can enable it.`)
  if (role !== null) await addRole(db, operator, id, role)
}

/** Every token of this user issued before is refused. */
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

async function findOrInsert(db: Database, identity: Identity & { email: string | null }): Promise<string> {
  const known = await findUserId(db, identity)
  if (known !== null) return known
  const made = await db.transaction().execute(async (tx) => {
    await lockIdentity(tx, identity)
    const id = await insertUser(tx, identity)
    if (id === null) return null
    const change = { kind: user, entityId: id, before: null, after: identity }
    await recordAudit(tx, operator, { action: 'user.create', ...change })
    return id
  })
  // Somebody else made it in the same instant.
  return made ?? (await findUserId(db, identity)) ?? raise(new StartError('The user could not be made.'))
}
