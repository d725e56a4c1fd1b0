import { sql } from 'kysely'
import type { Membership } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import { raise } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { Invitation } from '../schema.ts'

export type Rights = Pick<Membership, 'role' | 'permissions'>

/** An invitation as it is stored. */
export type InvitationRow = Rights & { id: string; acteur_id: string; email: string; invited_until: Date }

/** The values of an invitation in the audit log, which belongs to its acteur: without the address. */
export const auditedInvitation = ({ id, role, permissions }: Rights & { id: string }) => ({
  invitation_id: id,
  role,
  permissions,
  invited: true,
})

/** True while the invitation `i` can be accepted. */
export const isOpen = sql<boolean>`(i.ended_at is null and i.invited_until > now())`

const columns = sql`i.id, i.acteur_id, i.email, i.role, i.permissions, i.invited_until`

/** Lists the open invitations of a user, oldest first: those of the address that the user has proven. */
export async function listInvitations(db: Database, userId: string): Promise<Invitation[]> {
  const { rows } = await sql<Invitation>`
    select i.id, json_build_object('id', a.id, 'nom', a.nom, 'slug', a.slug) as acteur, i.role, i.permissions,
      i.created_at as since, i.invited_until, i.version, array['accept', 'delete'] as can
    from users u join team_invitations i on i.email = lower(u.email collate "C")
    join acteurs named on named.id = i.acteur_id join acteurs a on a.id = coalesce(named.merged_into, named.id)
    where u.id = ${userId} and u.email_verified and ${isOpen} and a.deleted_at is null
    order by i.created_at, i.id`.execute(db)
  return rows
}

/** How long an invitation is open. */
const invitationDays = 14

/** Invites an address. Replaces an invitation that is over. `isMailed`: a mail about it will be sent. */
export async function insertInvitation(
  tx: Database,
  { acteurId, email, role, permissions }: Rights & { acteurId: string; email: string },
  { isMailed }: { isMailed: boolean },
): Promise<InvitationRow> {
  const { rows } = await sql<InvitationRow>`
    insert into team_invitations as i (id, acteur_id, email, role, permissions, invited_until, mailed_at)
    values (${uuidv7()}, ${acteurId}, ${email}, ${role}, ${permissions},
      now() + make_interval(days => ${sql.lit(invitationDays)}), case when ${isMailed}::boolean then now() end)
    on conflict on constraint team_invitations_address do update set id = excluded.id, role = excluded.role,
      permissions = excluded.permissions, invited_until = excluded.invited_until, ended_at = null, created_at = now(),
      mailed_at = coalesce(excluded.mailed_at, i.mailed_at)
    returning ${columns}`.execute(tx)
  return rows[0] ?? raise(new Error('no invitation'))
}

/** Most mails to one address in 24 hours, over all acteurs; of one acteur one. */
const maxMails = 3

/** True if the address, which is locked, may get one more mail about an invitation. */
export async function mayMail(tx: Database, acteurId: string, email: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select count(*) < ${sql.lit(maxMails)} and count(*) filter (where acteur_id = ${acteurId}) = 0 as free
    from team_invitations where email = ${email} and mailed_at > now() - interval '24 hours'`.execute(tx)
  return rows[0]?.free ?? false
}

/** True if the address has an open invitation to this acteur. */
export async function isInvited(db: Database, acteurId: string, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from team_invitations i
    where i.acteur_id = ${acteurId} and i.email = ${email} and ${isOpen}`.execute(db)
  return rows.length > 0
}

export type InvitationMail = InvitationRow & { acteur_nom: string; acteur_type: string }

/** Reads the name of who invites; null for an account without one, and for one that was erased. */
export async function findName(db: Database, userId: string): Promise<string | null> {
  const row = await db.selectFrom('users').select('nom').where('id', '=', userId).executeTakeFirst()
  return row?.nom || null
}

/** Reads an open invitation for its mail, also where the acteur was merged meanwhile. */
export async function findForMail(db: Database, id: string): Promise<InvitationMail | null> {
  const { rows } = await sql<InvitationMail>`
    select ${columns}, a.nom as acteur_nom, a.type as acteur_type from team_invitations i
    join acteurs named on named.id = i.acteur_id join acteurs a on a.id = coalesce(named.merged_into, named.id)
    where i.id = ${id} and ${isOpen} and a.deleted_at is null`.execute(db)
  return rows[0] ?? null
}

/** Finds an invitation whatever became of it, for an answer to its mail. */
export async function findAnswered(
  db: Database,
  id: string,
): Promise<{ acteur_id: string; email: string } | null> {
  const { rows } = await sql<{ acteur_id: string; email: string }>`
    select acteur_id, email from team_invitations where id = ${id}`.execute(db)
  return rows[0] ?? null
}

export async function updateInvitation(
  tx: Database,
  id: string,
  { role, permissions }: Rights,
): Promise<void> {
  await sql`update team_invitations set role = ${role}, permissions = ${permissions} where id = ${id}`.execute(
    tx,
  )
}

/** Ends an invitation that was accepted, declined or withdrawn. */
export async function endInvitation(tx: Database, id: string): Promise<void> {
  await sql`update team_invitations set ended_at = now() where id = ${id}`.execute(tx)
}

/** Deletes invitations whose time is over, and ended ones by which no mail is counted any more. */
export async function deleteOver(
  tx: Database,
  limit: number,
): Promise<(InvitationRow & { has_ended: boolean })[]> {
  const { rows } = await sql<InvitationRow & { has_ended: boolean }>`
    delete from team_invitations i where i.id in (
      select id from team_invitations
      where invited_until <= now() or ended_at <= now() - interval '24 hours'
      order by id limit ${limit} for update skip locked)
    returning ${columns}, i.ended_at is not null as has_ended`.execute(unprepared(tx))
  return rows
}

/**
 * Adds these rights to those that a user has for an acteur, from now on, and returns all: the stronger role, and the
 * permissions of both. The new date shows the undo of a claim's decision that the membership has changed since.
 */
export async function addMembership(
  tx: Database,
  { acteurId, userId, role, permissions }: Rights & { acteurId: string; userId: string },
): Promise<Rights> {
  const { rows } = await sql<Rights>`
    insert into actor_users as m (acteur_id, user_id, role, permissions)
    values (${acteurId}, ${userId}, ${role}, ${permissions})
    on conflict on constraint actor_users_pkey do update set
      role = case when 'owner' in (m.role, excluded.role) then 'owner' else m.role end,
      permissions = case when 'owner' in (m.role, excluded.role) then '{}'
        else array(select distinct unnest(m.permissions || excluded.permissions) order by 1) end,
      created_at = now()
    returning m.role, m.permissions`.execute(tx)
  return rows[0] ?? raise(new Error('no membership'))
}

export async function findMembership(db: Database, acteurId: string, userId: string): Promise<Rights | null> {
  const { rows } = await sql<Rights>`
    select role, permissions from actor_users
    where acteur_id = ${acteurId} and user_id = ${userId}`.execute(db)
  return rows[0] ?? null
}

/** Removes invitations of a merged acteur to addresses that its target has invited too: of two, an open one stays. */
export async function deleteRepeated(
  tx: Database,
  { from, into }: { from: string; into: string },
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    delete from team_invitations where id in (
      select case when o.ended_at is null then i.id else o.id end
      from team_invitations i join team_invitations o on o.email = i.email and o.acteur_id = ${into}
      where i.acteur_id = ${from} order by i.id limit ${limit})
    returning id`.execute(unprepared(tx))
  return rows.length
}
