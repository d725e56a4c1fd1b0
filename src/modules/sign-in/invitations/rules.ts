import { sql } from 'kysely'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { findValidAfterErasure, type LoadDigests } from '../../../platform/access/erased-identities.ts'
import { ownIssuer } from '../../../platform/access/tokens.ts'
import { foldedEmail, lockIdentity } from '../../../platform/access/users.ts'
import { create } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import {
  addRoles,
  getUser,
  getUserForUpdate,
  lockUnbound,
  takeOver,
  type UserRow,
} from '../../users/queries.ts'
import { user } from '../../users/record.ts'
import { withCan } from '../../users/rules.ts'
import type { User } from '../../users/schema.ts'
import { readAddress } from '../email/rules.ts'
import type { InvitationBody } from '../schema.ts'
import { mailInvitation } from './jobs.ts'

type Tools = Pick<RouteDeps, 'db' | 'jobs'> & { digests: LoadDigests }

/**
 * Creates an account of the service's own issuer with these roles, and invites it by mail. An account that a
 * claim created for the address becomes this account. 409 if an account of the own issuer has the address, or
 * if the account created by a claim is disabled.
 */
export async function inviteUser(
  { db, jobs, digests }: Tools,
  caller: SignedIn,
  { email, nom, roles = [] }: InvitationBody,
): Promise<User> {
  const address = readAddress(email)
  const identity = { issuer: ownIssuer, subject: address }
  const read = async (tx: Database, { id }: UserRow) => withCan(await getUser(tx, id))
  const digestOf = await digests(db)
  return create(db, caller, user, { action: 'user.invite', read }, async (tx) => {
    await lockIdentity(tx, identity)
    if (await hasOwnAccount(tx, address)) throw conflict()
    const validFrom = await findValidAfterErasure(tx, digestOf(identity))
    const unbound = await lockUnbound(tx, address)
    if (unbound !== null && !unbound.actif) throw conflict()
    const id = unbound?.id ?? uuidv7()
    if (unbound === null) {
      await sql`
        insert into users (id, issuer, subject, email, nom, tokens_valid_from)
        values (${id}, ${ownIssuer}, ${address}, ${address}, ${nom ?? null}, ${validFrom})`.execute(tx)
    } else {
      await takeOver(tx, unbound.id, { address, nom, validFrom })
    }
    // The account of a claim keeps the roles that it was given since.
    await addRoles(tx, id, roles)
    await jobs.enqueue(tx, mailInvitation, { userId: id })
    return getUserForUpdate(tx, id)
  })
}

async function hasOwnAccount(tx: Database, address: string): Promise<boolean> {
  const { rows } = await sql`
    select from users where issuer = ${ownIssuer} and (subject = ${address} or ${foldedEmail} = ${address})
    limit 1`.execute(tx)
  return rows.length > 0
}
