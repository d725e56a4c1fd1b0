import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { raise, unauthenticated } from '../errors.ts'
import { foldMailAddress } from '../mail/mail-address.ts'
import { uuidv7 } from '../uuid.ts'
import type { Role } from './areas.ts'
import type { Membership, User } from './caller.ts'
import type { Identity } from './tokens.ts'

/** The user behind a token, made at its first use, with its rights as they are now. */
export async function getUserOf(db: Database, identity: Identity): Promise<User> {
  let row = await findByIdentity(db, identity)
  if (row === undefined) {
    await bindOrInsert(db, identity)
    row = (await findByIdentity(db, identity)) ?? raise(unauthenticated())
  }
  if (isRefused(row, identity)) throw unauthenticated()
  if (row.seen_long_ago) await noteSeen(db, row.id, identity)
  return { id: row.id, roles: row.roles, memberships: row.memberships }
}

type TokenRules = { actif: boolean; tokens_valid_from: Date | null }

/** Disabled, or issued too early. A token that does not say when, or says what is no time, is refused once any was. */
function isRefused({ actif, tokens_valid_from: validFrom }: TokenRules, { issuedAt }: Identity): boolean {
  return !actif || (validFrom !== null && !(issuedAt !== null && issuedAt >= validFrom))
}

function findByIdentity(db: Database, { issuer, subject }: Identity) {
  return db
    .selectFrom('users')
    .select(['id', 'actif', 'tokens_valid_from'])
    .select(sql<boolean>`coalesce(last_seen_at < now() - interval '5 minutes', true)`.as('seen_long_ago'))
    .select(
      sql<Role[]>`array(select role from user_roles where user_id = users.id order by role)`.as('roles'),
    )
    .select(
      sql<Membership[]>`coalesce((
        select json_agg(json_build_object('acteurId', acteur_id, 'role', role, 'permissions', permissions))
        from actor_users where user_id = users.id), '[]')`.as('memberships'),
    )
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** A user made by e-mail becomes this identity's if the e-mail is verified and it has no role. */
function bindOrInsert(db: Database, identity: Identity): Promise<void> {
  const { issuer, subject, email, name: nom } = identity
  const email_verified = identity.emailVerified && email !== null
  return db.transaction().execute(async (tx) => {
    await lockIdentity(tx, identity)
    if ((await findByIdentity(tx, identity)) !== undefined) return
    const unbound = email_verified ? await findUnboundForUpdate(tx, email) : undefined
    if (unbound === undefined || (await hasRole(tx, unbound.id))) {
      const values = { id: uuidv7(), issuer, subject, email, email_verified, nom }
      await tx.insertInto('users').values(values).execute()
      return
    }
    // A refused token proves nothing: the user stays unbound.
    if (isRefused(unbound, identity)) throw unauthenticated()
    await tx
      .updateTable('users')
      .set({ issuer, subject, email_verified })
      .where('id', '=', unbound.id)
      .execute()
  })
}

/** Until the transaction ends nobody else makes a user of this identity, or one its own. */
export async function lockIdentity(
  tx: Database,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, 0))`.execute(tx)
}

/** What addresses are compared by, as `foldMailAddress` does; the words of the index `users_unbound_email_key`. */
export const foldedEmail = sql<string>`lower(email collate "C")`

/** Locked whole, so that nobody gives it a role meanwhile. */
function findUnboundForUpdate(tx: Database, email: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'actif', 'tokens_valid_from'])
    .where('issuer', 'is', null)
    .where(foldedEmail, '=', foldMailAddress(email))
    .forUpdate()
    .executeTakeFirst()
}

async function hasRole(tx: Database, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('user_roles')
    .select('role')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** A token that tells no address takes none away. */
async function noteSeen(db: Database, id: string, { email, emailVerified }: Identity): Promise<void> {
  await db
    .updateTable('users')
    .set({ last_seen_at: sql`now()`, ...(email !== null && { email, email_verified: emailVerified }) })
    .where('id', '=', id)
    .execute()
}
