import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { raise, unauthenticated } from '../errors.ts'
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
  if (!row.actif || isRevoked(identity, row.tokens_valid_from)) throw unauthenticated()
  if (row.stale || (identity.email !== null && identity.email !== row.email))
    await noteSeen(db, row.id, identity.email)
  return { id: row.id, roles: row.roles, memberships: row.memberships }
}

/** A token that does not say when it was issued, or says what is no time, is refused once anything was revoked. */
function isRevoked({ issuedAt }: Identity, validFrom: Date | null): boolean {
  return validFrom !== null && !(issuedAt !== null && issuedAt >= validFrom)
}

function findByIdentity(db: Database, { issuer, subject }: Identity) {
  return db
    .selectFrom('users')
    .select(['id', 'actif', 'email', 'tokens_valid_from'])
    .select(sql<boolean>`coalesce(last_seen_at < now() - interval '5 minutes', true)`.as('stale'))
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

/**
 * A user made by e-mail becomes this identity's if the e-mail is verified and it holds no role. Each statement stands
 * for itself: of two first requests at once, one writes and both find.
 */
async function bindOrInsert(db: Database, identity: Identity): Promise<void> {
  const { issuer, subject, email, emailVerified, name } = identity
  if (emailVerified && email !== null) {
    const bound = await sql`
      update users set issuer = ${issuer}, subject = ${subject}
      where issuer is null and lower(email) = lower(${email})
        and not exists (select from user_roles where user_id = users.id)
        and not exists (select from users known where known.issuer = ${issuer} and known.subject = ${subject})
    `.execute(db)
    if (bound.numAffectedRows === 1n) return
  }
  await db
    .insertInto('users')
    .values({ id: uuidv7(), issuer, subject, email, nom: name })
    .onConflict((conflict) => conflict.constraint('users_identity_key').doNothing())
    .execute()
}

async function noteSeen(db: Database, id: string, email: string | null): Promise<void> {
  await db
    .updateTable('users')
    .set({ last_seen_at: sql`now()`, ...(email !== null && { email }) })
    .where('id', '=', id)
    .execute()
}
