import { sql } from 'kysely'
import { type AuditedKind, recordAudit } from '../audit/record.ts'
import type { Database } from '../database/connect.ts'
import { ApiError, raise, unauthenticated } from '../errors.ts'
import { foldMailAddress } from '../mail/mail-address.ts'
import { uuidv7 } from '../uuid.ts'
import type { Role } from './areas.ts'
import { type Caller, type Membership, operator, type SignedIn, type User } from './caller.ts'
import { type DigestIdentity, findValidAfterErasure } from './erased-identities.ts'
import type { Identity } from './tokens.ts'

/** A user, as the trail knows it. */
export const auditedUser = {
  entity: 'user',
  personal: ['nom', 'email', 'subject'],
} satisfies AuditedKind

/** The user behind a token, made at its first use, with its rights as they are now. */
export async function getUserOf(
  db: Database,
  identity: Identity,
  digestOf: DigestIdentity,
  requestId: string | null = null,
): Promise<User> {
  let row = await findByIdentity(db, identity)
  if (row === undefined) {
    await bindOrInsert(db, identity, digestOf(identity), requestId)
    row = (await findByIdentity(db, identity)) ?? raise(unauthenticated())
  }
  if (isRefused(row, identity)) throw unauthenticated()
  if (row.seen_long_ago) await noteSeen(db, row.id, identity).catch(leaveToNextRequest)
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

/**
 * A user made by e-mail becomes this identity's if the e-mail is verified and it has no role. Who was erased comes back
 * as somebody new, by a token issued since.
 */
function bindOrInsert(
  db: Database,
  identity: Identity,
  digest: string,
  requestId: string | null,
): Promise<void> {
  const { issuer, subject, email, name: nom } = identity
  const email_verified = identity.emailVerified && email !== null
  return db.transaction().execute(async (tx) => {
    await lockIdentity(tx, identity)
    if ((await findByIdentity(tx, identity)) !== undefined) return
    const tokens_valid_from = await findValidAfterErasure(tx, digest)
    if (isRefused({ actif: true, tokens_valid_from }, identity)) throw unauthenticated()
    const unbound = email_verified ? await findUnboundForUpdate(tx, email) : undefined
    if (unbound === undefined || (await hasRole(tx, unbound.id))) {
      const id = uuidv7()
      const values = { id, issuer, subject, email, email_verified, nom, tokens_valid_from }
      return insertUser(tx, themselves(id, requestId), values)
    }
    // A refused token proves nothing: the user stays unbound.
    if (isRefused(unbound, identity)) throw unauthenticated()
    await bindUser(tx, themselves(unbound.id, requestId), identity, tokens_valid_from)
  })
}

type NewUser = Pick<Identity, 'issuer' | 'subject' | 'email'> & { id: string }

/** A user without rights, of an identity that `lockIdentity` keeps from others. */
export async function insertUser(
  tx: Database,
  caller: Caller,
  values: NewUser & { email_verified?: boolean; nom?: string | null; tokens_valid_from: Date | null },
): Promise<void> {
  await tx.insertInto('users').values(values).execute()
  const change = { kind: auditedUser, entityId: values.id, before: null, after: values }
  await recordAudit(tx, caller, { action: 'user.create', ...change })
}

/** Gives the caller this identity. The trail tells what rights it comes to. */
async function bindUser(
  tx: Database,
  caller: SignedIn,
  { issuer, subject }: Identity,
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

/** Whoever makes or binds a user by signing in does so in that user's own name; the application is not known yet. */
const themselves = (id: string, requestId: string | null): SignedIn => ({
  ...operator,
  user: { id, roles: [], memberships: [] },
  requestId,
})

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

/** While nothing can be written, reading goes on. */
function leaveToNextRequest(error: unknown): void {
  if (!(error instanceof ApiError)) throw error
}

/** A token that tells no address takes none away. Who was erased meanwhile was not seen. */
async function noteSeen(db: Database, id: string, { email, emailVerified }: Identity): Promise<void> {
  await db
    .updateTable('users')
    .set({ last_seen_at: sql`now()`, ...(email !== null && { email, email_verified: emailVerified }) })
    .where('id', '=', id)
    .where('erased_at', 'is', null)
    .execute()
}
