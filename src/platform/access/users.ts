import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { ApiError, raise, unauthenticated } from '../errors.ts'
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
  if (row.stale) await noteSeen(db, row.id, identity.email).catch(leaveToNextRequest)
  return { id: row.id, roles: row.roles, memberships: row.memberships }
}

type Standing = { actif: boolean; tokens_valid_from: Date | null }

/** Disabled, or issued too early. A token that does not say when, or says what is no time, is refused once any was. */
function isRefused({ actif, tokens_valid_from: validFrom }: Standing, { issuedAt }: Identity): boolean {
  return !actif || (validFrom !== null && !(issuedAt !== null && issuedAt >= validFrom))
}

function findByIdentity(db: Database, { issuer, subject }: Identity) {
  return db
    .selectFrom('users')
    .select(['id', 'actif', 'tokens_valid_from'])
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

/** A user made by e-mail becomes this identity's if the e-mail is verified and it holds no role. */
function bindOrInsert(db: Database, identity: Identity): Promise<void> {
  const { issuer, subject, email, emailVerified, name } = identity
  return db.transaction().execute(async (tx) => {
    await lockIdentity(tx, identity)
    if ((await findByIdentity(tx, identity)) !== undefined) return
    const waiting = emailVerified && email !== null ? await findUnboundForUpdate(tx, email) : undefined
    if (waiting === undefined || (await holdsRole(tx, waiting.id))) {
      await tx.insertInto('users').values({ id: uuidv7(), issuer, subject, email, nom: name }).execute()
      return
    }
    // What a refused token proves is nothing: the user goes on waiting.
    if (isRefused(waiting, identity)) throw unauthenticated()
    await tx.updateTable('users').set({ issuer, subject }).where('id', '=', waiting.id).execute()
  })
}

/** Until the transaction ends nobody else makes a user of this identity, or one its own. */
export async function lockIdentity(
  tx: Database,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, 0))`.execute(tx)
}

/** Also who is about to give it a role waits, or is waited for. */
function findUnboundForUpdate(tx: Database, email: string) {
  return tx
    .selectFrom('users')
    .select(['id', 'actif', 'tokens_valid_from'])
    .where('issuer', 'is', null)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .forUpdate()
    .executeTakeFirst()
}

async function holdsRole(tx: Database, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('user_roles')
    .select('role')
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** While nothing can be written, reading goes on. */
function leaveToNextRequest(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}

async function noteSeen(db: Database, id: string, email: string | null): Promise<void> {
  await db
    .updateTable('users')
    .set({ last_seen_at: sql`now()`, ...(email !== null && { email }) })
    .where('id', '=', id)
    .execute()
}
