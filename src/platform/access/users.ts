import { type RawBuilder, sql } from 'kysely'
import { type AuditedKind, recordAudit } from '../audit/record.ts'
import type { Changes } from '../database/changes.ts'
import type { Database, Databases } from '../database/connect.ts'
import { ApiError, raise, unauthenticated } from '../errors.ts'
import { foldMailAddress } from '../formats/mail-address.ts'
import { uuidv7 } from '../formats/uuid.ts'
import type { Role } from './areas.ts'
import { type Caller, type Membership, operator, type SignedIn, type User } from './caller.ts'
import { findValidAfterErasure, type LoadDigests } from './erased-identities.ts'
import { sharedLookups } from './shared-lookups.ts'
import { type Identity, ownIssuer } from './tokens.ts'

/** Selects a user as `{id, nom}`, or null, shown beside the user's id in back-office responses. */
export const userNameOf = (id: RawBuilder<unknown>) => sql`(
  select json_build_object('id', named.id, 'nom', named.nom) from users named where named.id = ${id})`

/** The user as an audited record. */
export const auditedUser = {
  entity: 'user',
  personal: ['nom', 'email', 'subject'],
} satisfies AuditedKind

/** Returns the user behind a verified token with its current permissions, and creates it at its first token. */
export type FindUser = (identity: Identity, requestId?: string | null) => Promise<User>

/** Tables whose changes can refuse a token or change its permissions. */
const readTables = ['users', 'user_roles', 'actor_users']

/** Looks up users by identity, shared as `sharedLookups` allows. */
export function userFinder(
  databases: Pick<Databases, 'db' | 'reads'>,
  changes: Changes | null,
  digests: LoadDigests,
): FindUser {
  const share = sharedLookups<UserRow | undefined>(changes, readTables)
  return async (identity, requestId = null) => {
    const key = JSON.stringify([identity.issuer, identity.subject])
    const find = () => findByIdentity(databases.reads, identity)
    // Only the row is shared: each request checks its own token against it.
    const known = await share(key, find, (row) => (row === undefined ? 0 : Number.POSITIVE_INFINITY))
    const row = known ?? (await createUser(databases, identity, digests, requestId))
    requireAccepted(row, identity)
    // A claim that was refused for want of a verified address can be repeated at once.
    const verifies = identity.emailVerified === true && identity.email !== null && !row.email_verified
    if (row.seen_long_ago || verifies) {
      row.seen_long_ago = false
      row.email_verified ||= verifies
      await updateLastSeen(databases.db, row.id, identity).catch(leaveToNextRequest)
    }
    return { id: row.id, roles: row.roles, memberships: row.memberships }
  }
}

/** Returns the user of an identity, created or bound if there was none; 401 if the token is refused. */
export async function findOrCreateUser(
  databases: Pick<Databases, 'db' | 'reads'>,
  identity: Identity,
  digests: LoadDigests,
  requestId: string | null,
): Promise<UserRow> {
  const known = await findByIdentity(databases.reads, identity)
  const row = known ?? (await createUser(databases, identity, digests, requestId))
  requireAccepted(row, identity)
  return row
}

async function createUser(
  { db, reads }: Pick<Databases, 'db' | 'reads'>,
  identity: Identity,
  digests: LoadDigests,
  requestId: string | null,
): Promise<UserRow> {
  const digestOf = await digests(db)
  await bindOrInsert(db, identity, digestOf(identity), requestId)
  return (await findByIdentity(reads, identity)) ?? raise(unauthenticated())
}

/** Checks the token again, in a transaction that has locked the user's row. */
export async function requireStillAccepted(tx: Database, identity: Identity): Promise<void> {
  requireAccepted((await findByIdentity(tx, identity)) ?? raise(unauthenticated()), identity)
}

type TokenRules = { actif: boolean; tokens_valid_from: Date | null }

/**
 * Refuses a revoked token: one issued too early, or without a valid `iat` once any was revoked. Refuses every token of a
 * disabled user, and names that reason, since a new token would not help.
 */
function requireAccepted({ actif, tokens_valid_from: validFrom }: TokenRules, { issuedAt }: Identity): void {
  if (validFrom !== null && !(issuedAt !== null && issuedAt >= validFrom)) throw unauthenticated()
  if (!actif) throw unauthenticated({ challenge: 'account_disabled' })
}

/** Selects the roles of a user. */
export const rolesOf = (userId: RawBuilder<unknown>) =>
  sql<Role[]>`array(select role from user_roles where user_id = ${userId} order by role)`

/** Selects the memberships of a user. */
export const membershipsOf = (userId: RawBuilder<unknown>) => sql<Membership[]>`coalesce((
        select json_agg(json_build_object('acteurId', acteur_id, 'role', role, 'permissions', permissions))
        from actor_users where user_id = ${userId}), '[]')`

type UserRow = TokenRules & {
  id: string
  email_verified: boolean
  seen_long_ago: boolean
  roles: Role[]
  memberships: Membership[]
}

function findByIdentity(db: Database, { issuer, subject }: Identity): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'actif', 'tokens_valid_from', 'email_verified'])
    .select(sql<boolean>`coalesce(last_seen_at < now() - interval '5 minutes', true)`.as('seen_long_ago'))
    .select([rolesOf(sql`users.id`).as('roles'), membershipsOf(sql`users.id`).as('memberships')])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/**
 * Binds a user created by e-mail to this identity if the address is verified and the user has no role;
 * otherwise inserts a new user. An erased person becomes a new user, with a token issued after the erasure.
 */
function bindOrInsert(
  db: Database,
  identity: Identity,
  digests: string[],
  requestId: string | null,
): Promise<void> {
  const { issuer, subject, email, name: nom } = identity
  const email_verified = identity.emailVerified === true && email !== null
  return db.transaction().execute(async (tx) => {
    await lockIdentity(tx, identity)
    if ((await findByIdentity(tx, identity)) !== undefined) return
    const tokens_valid_from = await findValidAfterErasure(tx, digests)
    requireAccepted({ actif: true, tokens_valid_from }, identity)
    const unbound = email_verified ? await findUnboundForUpdate(tx, email) : undefined
    if (unbound === undefined || (await hasRole(tx, unbound.id))) {
      const id = uuidv7()
      const values = { id, issuer, subject, email, email_verified, nom, tokens_valid_from }
      return insertUser(tx, callerOf(id, requestId), values)
    }
    // A refused token does not prove the address: the user stays unbound.
    requireAccepted(unbound, identity)
    await bindUser(tx, callerOf(unbound.id, requestId), identity, tokens_valid_from)
  })
}

type NewUser = Pick<Identity, 'issuer' | 'subject' | 'email'> & { id: string }

/** Inserts a user without roles. `lockIdentity` excludes concurrent inserts for the same identity. */
export async function insertUser(
  tx: Database,
  caller: Caller,
  values: NewUser & { email_verified?: boolean; nom?: string | null; tokens_valid_from: Date | null },
): Promise<void> {
  await tx.insertInto('users').values(values).execute()
  const change = { kind: auditedUser, entityId: values.id, before: null, after: values }
  await recordAudit(tx, caller, { action: 'user.create', ...change })
}

/**
 * Binds the caller, whose row is locked, to this identity. The audit entry lists the acteurs it gives access
 * to.
 */
export async function bindUser(
  tx: Database,
  caller: SignedIn,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
  validAfterErasure: Date | null,
): Promise<void> {
  const { id } = caller.user
  const after = { issuer, subject, email_verified: true }
  const tokens_valid_from = sql<Date | null>`greatest(tokens_valid_from, ${validAfterErasure}::timestamptz)`
  await tx
    .updateTable('users')
    .set({ ...after, tokens_valid_from })
    .where('id', '=', id)
    .execute()
  const { rows } = await sql`
    select acteur_id, role, permissions from actor_users where user_id = ${id} order by acteur_id`.execute(tx)
  await recordAudit(tx, caller, {
    action: 'user.bind',
    kind: auditedUser,
    entityId: id,
    before: { issuer: null, subject: null, email_verified: false },
    after: { ...after, acteurs: rows },
  })
}

/** Returns the caller for users who create or bind their own account; the application is not known yet. */
export const callerOf = (id: string, requestId: string | null): SignedIn => ({
  ...operator,
  user: { id, roles: [], memberships: [] },
  requestId,
})

/** The identity of an account of the service's own issuer: its subject is its address. */
export const ownIdentity = (address: string) => ({ issuer: ownIssuer, subject: foldMailAddress(address) })

/** Serialises the creation and binding of users for one identity until the transaction ends. */
export async function lockIdentity(
  tx: Database,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${subject}`}, 0))`.execute(tx)
}

/**
 * Expression by which addresses are compared, as in `foldMailAddress`. The index `users_unbound_email_key` uses the
 * same one.
 */
export const foldedEmail = sql<string>`lower(email collate "C")`

/** Locks the row fully, so that no role is granted concurrently. */
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

/** Ignores failed writes, so that reads are still served while writes are refused. */
export function leaveToNextRequest(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}

/**
 * Updates when the user was last seen. A token without an address does not clear the stored one, and one that does not
 * say whether the stored address is verified leaves that as it is. One with another address closes the user's open
 * mails: their codes were sent to the former address. Does nothing for a user erased in the meantime.
 */
export async function updateLastSeen(
  db: Database,
  id: string,
  { email, emailVerified }: Identity,
): Promise<void> {
  const address = email === null ? null : foldMailAddress(email)
  await sql`
    with before as materialized (
      select id, ${foldedEmail} as address from users where id = ${id} and erased_at is null for no key update
    ), closed as (
      update email_challenges c set closed_at = now() from before
      where c.user_id = before.id and c.closed_at is null and before.address is distinct from coalesce(${address}, before.address)
    )
    update users u set last_seen_at = now(), email = coalesce(${email}, u.email),
      email_verified = case when ${email}::text is null then u.email_verified
        else coalesce(${emailVerified}, u.email_verified and before.address = ${address}, false) end
    from before where u.id = before.id`.execute(db)
}
