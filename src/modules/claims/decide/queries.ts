import { type RawBuilder, type Selectable, sql } from 'kysely'
import { ownIssuer } from '../../../platform/access/tokens.ts'
import { foldedEmail, userNameOf } from '../../../platform/access/users.ts'
import { among, anyOf, equals } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { beginsWord, beginsWords } from '../../../platform/database/search.ts'
import type { SortKey } from '../../../platform/database/sort-order.ts'
import type * as tables from '../../../platform/database/types.generated.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { foldMailAddress } from '../../../platform/formats/mail-address.ts'
import { hasWord } from '../../../platform/formats/text.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { List } from '../../../platform/http/listing/list.ts'
import {
  type ClaimRow,
  columns,
  decidedAt,
  expiry,
  getClaimForUpdate,
  isOverdue,
  shownStatus,
} from '../queries.ts'
import { readReference } from '../reference.ts'
import type { Claim, SelectedClaim } from '../schema.ts'
import type { ClaimsQuery } from './schema.ts'

export type ClaimedActeur = Pick<
  Selectable<tables.Acteurs>,
  'id' | 'type' | 'active' | 'deleted_at' | 'merged_into'
>
/** `unbound`: the user has never signed in. */
export type Claimant = { id: string; actif: boolean; unbound: boolean }

/** Undecided claims sort last in both directions; by status, overdue claims are among the pending ones. */
export const claimsList = (ttlDays: number): List<ClaimsQuery, SelectedClaim> => ({
  name: 'claims',
  from: sql`claims c`,
  as: 'c',
  picksIds: true,
  filters: {
    ids: among('c.id'),
    acteur_id: equals('c.acteur_id'),
    // A `q` without a letter or digit filters nothing.
    q: (q) => hasWord(q) && finds(q),
    status: (statuses) => anyOf(...[...new Set(statuses)].map((one) => isShownAs(one, ttlDays))),
  },
  sorts: {
    created_at: byAge,
    decided_at: [{ by: decidedAt, type: 'time', isNullable: true }, byId],
    status: [{ by: sql`c.status`, type: 'text' }, ...byAge],
  },
  defaults: { sort: 'created_at_desc' },
  columns: answered(ttlDays),
})

const byId: SortKey = { by: sql`c.id`, type: 'id' }
const byAge: SortKey[] = [{ by: sql`c.created_at`, type: 'time' }, byId]

export async function getClaim(db: Database, id: string, ttlDays: number): Promise<SelectedClaim> {
  const { rows } = await sql<SelectedClaim>`
    select ${answered(ttlDays)} from claims c where c.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Columns of a claim as responses show it. The rival is named `c` like the claim, for `isOverdue`. */
const answered = (ttlDays: number) => sql<SelectedClaim>`
  ${sql.join(columns.filter((name) => name !== 'status').map((name) => sql.ref(`c.${name}`)))},
  ${shownStatus(ttlDays)} as status, ${decidedAt} as decided_at,
  ${userNameOf(sql`c.user_id`)} as "user", ${userNameOf(sql`c.decided_by`)} as decided_by_user,
  coalesce(c.email, (select u.email from users u where u.id = c.user_id)) as address,
  (num_nonnulls(c.user_id, c.email, c.telephone) > 0) as has_contact,
  (c.status = 'pending' and coalesce(c.waits_until > now(), false)) as awaits_answer,
  (c.status = 'pending' and not ${isOverdue(ttlDays)} and exists (
    select from (select r.* from claims r where r.acteur_id = c.acteur_id and r.status = 'pending' and r.id <> c.id) c
    where not ${isOverdue(ttlDays)})) as has_rival,
  exists (select from registrations r where r.claim_id = c.id and r.acteur_id = c.acteur_id) as registers,
  case when c.status = 'pending' and not ${isOverdue(ttlDays)} then ${expiry(ttlDays)} end as expires_at,
  (select json_build_object('id', a.id, 'nom', a.nom, 'type', a.type) from acteurs a where a.id = c.acteur_id) as acteur,
  coalesce((
    select json_agg(json_build_object('user_id', u.id, 'user', json_build_object('id', u.id, 'nom', u.nom), 'nom', u.nom,
      'email', u.email, 'email_verified', u.email_verified) order by o.created_at, u.id)
    from actor_users o join users u on u.id = o.user_id
    where o.acteur_id = c.acteur_id and o.role = 'owner'), '[]') as owners`

/** Filters by the status as shown. */
function isShownAs(status: Claim['status'], ttlDays: number): RawBuilder<boolean> {
  if (status === 'expired') return sql`(c.status = 'expired' or ${isOverdue(ttlDays)})`
  if (status === 'pending') return sql`(c.status = 'pending' and not ${isOverdue(ttlDays)})`
  return sql`c.status = ${status}`
}

/** Each word of `q` begins a word of the claim, or all of `q` begins a word of the acteur's name or is the reference. */
const finds = (q: string) => sql`(
  ${beginsWords(sql`c.search`, q)}
  or c.acteur_id = any(array(
    select id from acteurs where ${beginsWord(q)}))
  or c.reference = ${readReference(q)})`

/**
 * Locks a claim and the other pending claims of its acteur in one fixed order, so that two concurrent
 * approvals wait for each other instead of deadlocking.
 */
export async function getClaimWithRivalsForUpdate(db: Database, id: string): Promise<ClaimRow> {
  await sql`
    select from claims c where c.id = ${id}
      or (c.status = 'pending' and c.acteur_id = (select acteur_id from claims where id = ${id}))
    order by c.id for no key update`.execute(db)
  return getClaimForUpdate(db, id)
}

/** Lists the other claims of the acteur that can still be decided. */
export async function listRivals(
  db: Database,
  { id, acteur_id }: Pick<ClaimRow, 'id' | 'acteur_id'>,
  ttlDays: number,
): Promise<ClaimRow[]> {
  const { rows } = await sql<ClaimRow>`
    select ${sql.join(columns.map((name) => sql.ref(`c.${name}`)))} from claims c
    where c.acteur_id = ${acteur_id} and c.status = 'pending' and c.id <> ${id} and not ${isOverdue(ttlDays)}
    order by c.id`.execute(db)
  return rows
}

/** Locks the acteur until the transaction ends, so that it is not deleted or disabled concurrently. */
export async function getActeurForShare(db: Database, id: string): Promise<ClaimedActeur> {
  return db
    .selectFrom('acteurs')
    .select(['id', 'type', 'active', 'deleted_at', 'merged_into'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirstOrThrow()
}

/** Returns the user's verified address and locks the user until the transaction ends. */
export async function findVerifiedEmailForUpdate(db: Database, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .where('email_verified', '=', true)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.email ?? null
}

export async function findEmailOf(db: Database, userId: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst()
  return row?.email ?? null
}

/** Returns the language of mails to this user. */
export async function getLangueOf(db: Database, userId: string): Promise<'fr' | 'en'> {
  const { langue } = await db
    .selectFrom('users')
    .select('langue')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return langue === 'en' ? 'en' : 'fr'
}

export async function findUserForUpdate(db: Database, id: string): Promise<Claimant | null> {
  const row = await db
    .selectFrom('users')
    .select(['id', 'actif', sql<boolean>`issuer is null`.as('unbound')])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Lists at most two accounts that have verified this address, and locks them until the transaction ends. Also one of the
 * service's own that was invited and has not come yet: only who reads the mail of its address can sign in to it.
 */
export async function listProvenUsersForUpdate(db: Database, email: string): Promise<Claimant[]> {
  const { rows } = await sql<Claimant>`
    select id, actif, false as unbound from users
    where ${foldedEmail} = ${foldMailAddress(email)}
      and (email_verified and issuer is not null or issuer = ${ownIssuer} and subject = ${foldMailAddress(email)})
    order by id limit 2 for no key update`.execute(db)
  return rows
}

/** Returns the unbound user of this address, and creates it if needed; concurrent calls create only one. */
export async function findOrInsertUnboundUser(
  db: Database,
  email: string,
  nom: string | null,
): Promise<Claimant & { made: boolean }> {
  const id = uuidv7()
  const user = await db
    .insertInto('users')
    .values({ id, email, nom })
    .onConflict((conflict) =>
      conflict
        .expression(foldedEmail)
        .where('issuer', 'is', null)
        .doUpdateSet((eb) => ({ email: eb.ref('users.email') })),
    )
    .returning(['id', 'actif'])
    .executeTakeFirstOrThrow()
  return { ...user, unbound: true, made: user.id === id }
}

/** A membership. Its time is text, because a `Date` would lose the microseconds. */
export type MemberRow = { role: string; created_at: string }

/** State that an undo restores. Before a decision, every claim is pending and has no reason. */
export type ClaimBefore = {
  /** True if the claim was rejected because another claim on the acteur was approved. */
  isRival: boolean
  user_id: string | null
  /** The membership that an approval created or changed. */
  member: { userId: string; isNew: boolean; before: MemberRow | null; after: MemberRow } | null
}

export async function findMember(db: Database, acteurId: string, userId: string): Promise<MemberRow | null> {
  const { rows } = await sql<MemberRow>`
    select role, created_at::text from actor_users
    where acteur_id = ${acteurId} and user_id = ${userId}`.execute(db)
  return rows[0] ?? null
}

/** Makes a user an owner. */
export async function upsertOwner(db: Database, acteurId: string, userId: string): Promise<void> {
  await db
    .insertInto('actor_users')
    .values({ acteur_id: acteurId, user_id: userId, role: 'owner' })
    .onConflict((conflict) => conflict.constraint('actor_users_pkey').doUpdateSet({ role: 'owner' }))
    .execute()
}

/** Restarts the 180-day period of an unbound user after an approval. */
export async function restartLapse(db: Database, acteurId: string, userId: string): Promise<void> {
  await db
    .updateTable('actor_users')
    .set({ created_at: sql`now()` })
    .where('acteur_id', '=', acteurId)
    .where('user_id', '=', userId)
    .execute()
}

/** Increments the user's version, because memberships are part of the user. */
export async function updateUserVersion(db: Database, id: string): Promise<void> {
  await db.updateTable('users').set({ version: sql`version + 1` }).where('id', '=', id).execute()
}
