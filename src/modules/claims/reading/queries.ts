import { sql } from 'kysely'
import { foldedEmail, userNameOf } from '../../../platform/access/users.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { foldMailAddress } from '../../../platform/formats/mail-address.ts'
import { decidedAt, shownStatus } from '../queries.ts'
import { type Evidence, type MatchingUser, maxEarlier, maxMembers, type OtherClaim } from './schema.ts'

type ActeurRow = Omit<Evidence, 'email_matches_site'>

/** Reads the acteur of a claim. Until the claim's user has signed in, the claim's address counts. */
export async function getClaimedActeur(db: Database, claimId: string): Promise<ActeurRow> {
  const { rows } = await sql<ActeurRow>`
    select json_build_object('id', a.id, 'nom', a.nom, 'slug', a.slug, 'type', a.type, 'adresse', a.adresse,
        'telephone', a.telephone, 'email', a.email, 'site_web', a.site_web, 'active', a.active,
        'deleted', a.deleted_at is not null) as acteur,
      coalesce((
        select json_agg(json_build_object('user_id', m.id, 'user', json_build_object('id', m.id, 'nom', m.nom), 'nom', m.nom, 'email', m.email,
          'email_verified', m.email_verified, 'role', m.role) order by m.role <> 'owner', m.created_at, m.id)
        from (
          select u.id, u.nom, u.email, u.email_verified, o.role, o.created_at
          from actor_users o join users u on u.id = o.user_id where o.acteur_id = a.id
          order by o.role <> 'owner', o.created_at, u.id limit ${sql.lit(maxMembers)}) m), '[]') as members,
      case when u.issuer is null then c.email when u.email_verified then u.email end as owning_address
    from claims c join acteurs a on a.id = c.acteur_id left join users u on u.id = c.user_id
    where c.id = ${claimId}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Lists the other pending claims on the acteur of a claim, and the newest ended ones. */
export async function listOtherClaims(db: Database, claimId: string, ttlDays: number): Promise<OtherClaim[]> {
  const acteurId = sql`(select acteur_id from claims where id = ${claimId})`
  const { rows } = await sql<OtherClaim>`
    select c.id, c.user_id, ${userNameOf(sql`c.user_id`)} as "user", c.nom, c.email, ${shownStatus(ttlDays)} as status, c.reason, c.decided_by,
      ${userNameOf(sql`c.decided_by`)} as decided_by_user,
      ${decidedAt} as decided_at, c.created_at
    from claims c where c.id in (
      select id from claims where acteur_id = ${acteurId} and status = 'pending' and id <> ${claimId}
      union all
      (select id from claims where acteur_id = ${acteurId} and status <> 'pending' and id <> ${claimId}
        order by created_at desc, id desc limit ${sql.lit(maxEarlier)}))
    order by c.created_at desc, c.id desc`.execute(db)
  return rows
}

/** Lists the users of an address, verified ones first, then by id. */
export async function listUsersOfAddress(db: Database, address: string): Promise<MatchingUser[]> {
  const { rows } = await sql<MatchingUser>`
    select id, nom, email, email_verified,
      array(select role from user_roles where user_id = users.id order by role) as roles
    from users where ${foldedEmail} = ${foldMailAddress(address)}
    order by email_verified desc, id`.execute(db)
  return rows
}
