import { type RawBuilder, sql } from 'kysely'
import type { Membership, Permission } from '../../../platform/access/caller.ts'
import { membershipsOf } from '../../../platform/access/users.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { isOpen } from '../invitations/queries.ts'
import type { TeamMember } from '../schema.ts'

/** A membership, or an open invitation, as it is stored. */
export type MemberRow = {
  /** Of an invitation its own id. */
  user_id: string
  role: Membership['role']
  permissions: Permission[]
  /** The address that is invited; null of a member. */
  email: string | null
  version: number
}

/** Whether somebody else who can sign in owns the acteur. */
const hasOther = (acteurId: RawBuilder<unknown>, userId: RawBuilder<unknown>) => sql<boolean>`exists (
    select from actor_users o join users ou on ou.id = o.user_id
    where o.acteur_id = ${acteurId} and o.role = 'owner' and o.user_id <> ${userId}
      and ou.actif and ou.issuer is not null)`

/**
 * The team of an acteur. Of the invited it has what was typed, and nothing of an account. `can` for those who manage the
 * team: the last owner stays one.
 */
const teamOf = (acteurId: string, callerId: string) => sql`(
  select u.id as user_id, u.nom, u.email, u.email_verified, m.role, m.permissions, 'member' as status,
    null::timestamptz as invited_until, m.created_at as since, u.id = ${callerId} as is_self, m.version,
    case when m.role <> 'owner' or ${hasOther(sql`m.acteur_id`, sql`m.user_id`)}
      then array['edit', 'delete'] else array[]::text[] end as can
  from actor_users m join users u on u.id = m.user_id
  where m.acteur_id = ${acteurId}
  union all
  select i.id, null, i.email, false, i.role, i.permissions, 'invited',
    i.invited_until, i.created_at, false, i.version, array['edit', 'delete']
  from team_invitations i
  where i.acteur_id = ${acteurId} and ${isOpen}) team`

/** Lists the members and the invited of an acteur, in the order they came. */
export async function listTeam(db: Database, callerId: string, acteurId: string): Promise<TeamMember[]> {
  const { rows } = await sql<TeamMember>`
    select * from ${teamOf(acteurId, callerId)} order by since, user_id`.execute(db)
  return rows
}

export async function getTeamMember(
  db: Database,
  callerId: string,
  { acteurId, userId }: { acteurId: string; userId: string },
): Promise<TeamMember> {
  const { rows } = await sql<TeamMember>`
    select * from ${teamOf(acteurId, callerId)} where user_id = ${userId}`.execute(db)
  return rows[0] ?? raise(notFound())
}

export async function findMember(db: Database, acteurId: string, userId: string): Promise<MemberRow | null> {
  const { rows } = await sql<MemberRow>`
    select user_id, role, permissions, null as email, version from actor_users
    where acteur_id = ${acteurId} and user_id = ${userId}
    union all
    select id, role, permissions, email, version from team_invitations i
    where acteur_id = ${acteurId} and id = ${userId} and ${isOpen}`.execute(db)
  return rows[0] ?? null
}

/** True if a member of the acteur is shown with this address. */
export async function hasMember(db: Database, acteurId: string, address: string): Promise<boolean> {
  const { rows } = await sql`
    select from actor_users m join users u on u.id = m.user_id
    where m.acteur_id = ${acteurId} and lower(u.email collate "C") = ${address} limit 1`.execute(db)
  return rows.length > 0
}

/** Counts the members and open invitations of an acteur. */
export async function countTeam(db: Database, acteurId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from actor_users where acteur_id = ${acteurId})::int
      + (select count(*) from team_invitations i where i.acteur_id = ${acteurId} and ${isOpen})::int as count`.execute(
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

export async function updateMember(
  tx: Database,
  acteurId: string,
  { user_id, role, permissions }: Pick<MemberRow, 'user_id' | 'role' | 'permissions'>,
): Promise<void> {
  await sql`
    update actor_users set role = ${role}, permissions = ${permissions}
    where acteur_id = ${acteurId} and user_id = ${user_id}`.execute(tx)
}

export async function deleteMember(tx: Database, acteurId: string, userId: string): Promise<void> {
  await sql`delete from actor_users where acteur_id = ${acteurId} and user_id = ${userId}`.execute(tx)
}
