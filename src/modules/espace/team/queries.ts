import { type RawBuilder, sql } from 'kysely'
import type { Membership, Permission } from '../../../platform/access/caller.ts'
import { ownIssuer } from '../../../platform/access/tokens.ts'
import { foldedEmail, membershipsOf } from '../../../platform/access/users.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { TeamMember } from '../schema.ts'

/** A membership as it is stored. */
export type MemberRow = {
  user_id: string
  role: Membership['role']
  permissions: Permission[]
  invited_until: Date | null
  version: number
}

const columns = sql`m.user_id, m.role, m.permissions, m.invited_until, m.version`

/** Members and invitations that are not over yet. */
const isCurrent = sql<boolean>`(m.invited_until is null or m.invited_until > now())`

/** Whether somebody else who can sign in owns the acteur. */
const hasOther = (acteurId: RawBuilder<unknown>, userId: RawBuilder<unknown>) => sql<boolean>`exists (
    select from actor_users o join users ou on ou.id = o.user_id
    where o.acteur_id = ${acteurId} and o.role = 'owner' and o.user_id <> ${userId}
      and o.invited_until is null and ou.actif and ou.issuer is not null)`

/** `can` for those who manage the team: the last owner stays one. */
const answered = (callerId: string) => sql`
  u.id as user_id, u.nom, u.email, u.email_verified, m.role, m.permissions,
  case when m.invited_until is null then 'member' else 'invited' end as status,
  m.invited_until, m.created_at as since, u.id = ${callerId} as is_self, m.version,
  case when m.role <> 'owner' or m.invited_until is not null or ${hasOther(sql`m.acteur_id`, sql`m.user_id`)}
    then array['edit', 'delete'] else array[]::text[] end as can`

/** Lists the members and the invited of an acteur, in the order they came. */
export async function listTeam(db: Database, callerId: string, acteurId: string): Promise<TeamMember[]> {
  const { rows } = await sql<TeamMember>`
    select ${answered(callerId)} from actor_users m join users u on u.id = m.user_id
    where m.acteur_id = ${acteurId} and ${isCurrent}
    order by m.created_at, u.id`.execute(db)
  return rows
}

export async function getTeamMember(
  db: Database,
  callerId: string,
  { acteurId, userId }: { acteurId: string; userId: string },
): Promise<TeamMember> {
  const { rows } = await sql<TeamMember>`
    select ${answered(callerId)} from actor_users m join users u on u.id = m.user_id
    where m.acteur_id = ${acteurId} and m.user_id = ${userId} and ${isCurrent}`.execute(db)
  return rows[0] ?? raise(notFound())
}

export async function findMember(db: Database, acteurId: string, userId: string): Promise<MemberRow | null> {
  const { rows } = await sql<MemberRow>`
    select ${columns} from actor_users m
    where m.acteur_id = ${acteurId} and m.user_id = ${userId} and ${isCurrent}`.execute(db)
  return rows[0] ?? null
}

export async function countTeam(db: Database, acteurId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from actor_users m where m.acteur_id = ${acteurId} and ${isCurrent}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** True if somebody else who can sign in owns the acteur, whose row is locked. */
export async function hasOtherOwner(db: Database, acteurId: string, userId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select ${hasOther(sql`${acteurId}`, sql`${userId}`)} as found`.execute(db)
  return rows[0]?.found ?? false
}

/** Reads the memberships of a user as they are now: those of the request may be outdated. */
export async function listMembershipsNow(db: Database, userId: string): Promise<Membership[]> {
  const { rows } = await sql<{ memberships: Membership[] }>`
    select ${membershipsOf(sql`${userId}`)} as memberships`.execute(db)
  return rows[0]?.memberships ?? []
}

/**
 * Finds the account that has proven this address, or that was invited with it and that only its reader can sign in to. Of
 * several, the one that signs in by mail, then the one that was seen last. Locks it until the transaction ends.
 */
export async function findAccountForUpdate(
  tx: Database,
  address: string,
): Promise<{ id: string; actif: boolean } | null> {
  const { rows } = await sql<{ id: string; actif: boolean }>`
    select id, actif from users
    where ${foldedEmail} = ${address}
      and (email_verified and issuer is not null or issuer = ${ownIssuer} and subject = ${address})
    order by issuer = ${ownIssuer} and subject = ${address} desc, last_seen_at desc nulls last, id
    limit 1 for no key update`.execute(tx)
  return rows[0] ?? null
}

/** Locks a user, before the acteur, as a change of the user does. */
export async function lockUser(tx: Database, id: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

type NewMember = Pick<MemberRow, 'role' | 'permissions'> & { acteurId: string; userId: string }

/** How long an invitation is open. */
const invitationDays = 14

/** Inserts a membership; of somebody without an account an invitation. Replaces an invitation that is over. */
export async function insertMember(
  tx: Database,
  { acteurId, userId, role, permissions }: NewMember,
  { isInvited }: { isInvited: boolean },
): Promise<MemberRow> {
  const until = isInvited ? sql`now() + make_interval(days => ${sql.lit(invitationDays)})` : sql`null`
  const { rows } = await sql<MemberRow>`
    insert into actor_users as m (acteur_id, user_id, role, permissions, invited_until)
    values (${acteurId}, ${userId}, ${role}, ${permissions}, ${until})
    on conflict on constraint actor_users_pkey do update set role = excluded.role,
      permissions = excluded.permissions, invited_until = excluded.invited_until, created_at = now()
    returning ${columns}`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export async function updateMember(
  tx: Database,
  { acteurId, userId, role, permissions }: NewMember,
): Promise<MemberRow> {
  const { rows } = await sql<MemberRow>`
    update actor_users m set role = ${role}, permissions = ${permissions}
    where m.acteur_id = ${acteurId} and m.user_id = ${userId} returning ${columns}`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export async function deleteMember(tx: Database, acteurId: string, userId: string): Promise<void> {
  await sql`delete from actor_users where acteur_id = ${acteurId} and user_id = ${userId}`.execute(tx)
}

/** Increments the version of a user, because memberships are part of the user. */
export async function updateUserVersion(tx: Database, id: string): Promise<void> {
  await sql`update users set version = version + 1 where id = ${id}`.execute(tx)
}

type Expired = MemberRow & { acteur_id: string }

/** Deletes invitations whose time is over, and returns them. */
export async function deleteExpiredInvitations(tx: Database, limit: number): Promise<Expired[]> {
  const { rows } = await sql<Expired>`
    delete from actor_users m where (m.acteur_id, m.user_id) in (
      select acteur_id, user_id from actor_users where invited_until <= now()
      order by invited_until limit ${limit} for update skip locked)
    returning m.acteur_id, ${columns}`.execute(unprepared(tx))
  return rows
}

/** Deletes those of these accounts that wait for their owner, and for which nothing waits any more. */
export async function deleteIdleAccounts(tx: Database, ids: string[]): Promise<void> {
  await sql`
    delete from email_challenges c using users u
    where c.user_id = u.id and u.id = any(${ids}::uuid[]) and ${isIdle}`.execute(tx)
  await sql`delete from users u where u.id = any(${ids}::uuid[]) and ${isIdle}`.execute(tx)
}

/** Nobody has signed in to the account `u`, and neither a membership, a role nor a claim refers to it. */
const isIdle = sql<boolean>`(u.issuer is null and u.erased_at is null
  and not exists (select from actor_users where user_id = u.id)
  and not exists (select from user_roles where user_id = u.id)
  and not exists (select from claims where user_id = u.id))`
