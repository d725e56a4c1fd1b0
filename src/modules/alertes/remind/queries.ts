import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'

/** An alert without an end, with the mail address of its mairie. */
export type EndlessAlerte = {
  id: string
  titre: string
  since: Date
  nom: string
  address: string | null
  langue: 'fr' | 'en'
}

/** Days after which the mairie is reminded of an alert that has no end. */
const daysUntilReminder = 7

/**
 * Marks alerts that have been in force without an end for a week, oldest first, and returns their ids. Marks
 * each alert at most once. Skips locked alerts, alerts without a mail address, and alerts of a hidden mairie.
 */
export async function markDueReminders(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update alertes set email_status = 'queued', email_status_at = now()
    where id = any(array(
      select al.id from alertes al
      where al.fin is null and al.email_status is null
        and al.created_at < now() - make_interval(days => ${daysUntilReminder}::int)
        and coalesce(al.debut, '-infinity') < now() - make_interval(days => ${daysUntilReminder}::int)
        and ${addressOf} is not null
      order by al.created_at limit ${limit} for no key update of al skip locked))
    returning id`.execute(unprepared(db))
  return rows.map(({ id }) => id)
}

/**
 * Reads an alert for its reminder, with the language of the member who has the address; null if it was deleted or has
 * an end.
 */
export async function findEndlessAlerte(db: Database, id: string): Promise<EndlessAlerte | null> {
  const { rows } = await sql<EndlessAlerte>`
    select al.id, al.titre, coalesce(al.debut, al.created_at) as since, one.address,
      coalesce((select c.nom from communes c where c.id = al.commune_id),
        (select a.nom from acteurs a where a.id = al.acteur_id)) as nom,
      coalesce((
        select u.langue from actor_users o join users u on u.id = o.user_id
        where o.acteur_id = ${mairieOf} and u.actif and u.email_verified and u.email = one.address
        order by o.created_at, u.id limit 1), 'fr') as langue
    from alertes al cross join lateral (select ${addressOf} as address) one
    where al.id = ${id} and al.fin is null`.execute(db)
  return rows[0] ?? null
}

const mairieOf = sql`coalesce(
    al.acteur_id, (select c.mairie_actor_id from communes c where c.id = al.commune_id))`

/**
 * The mail address of the mairie, else of the commune, else of the first owner with a verified address. None for the alert
 * of an acteur that is no longer the mairie of a commune: nobody sees it.
 */
export const addressOf = sql<string | null>`(
  select coalesce(
    nullif(trim(m.email), ''),
    (select nullif(trim(i.valeur), '') from communes c join commune_infos i on i.commune_id = c.id
     where (c.id = al.commune_id or c.mairie_actor_id = al.acteur_id) and i.cle = 'email'
     order by i.position limit 1),
    (select u.email from actor_users o join users u on u.id = o.user_id
     where o.acteur_id = m.id and o.role = 'owner' and u.actif and u.email_verified
     order by o.created_at, u.id limit 1))
  from (select) one
  left join acteurs m on m.active and m.deleted_at is null and m.id = ${mairieOf}
  where al.acteur_id is null
    or m.id is not null and exists (select from communes c where c.mairie_actor_id = al.acteur_id))`
