/** Hand-written SQL for the baseline on the real tables; each statement is prepared by name. */
const named = (name: string, text: string) => ({ name, text })

const publicationColumns = `p.id, p.slug, p.title, p.title as titre, p.body, p.type_id, p.date_debut, p.date_fin,
  p.source_url, p.image_url, p.acteur_id, p.commune_id, p.epingle, p.moderation_status, p.moderation_status as status,
  p.valide, p.publie_le, p.created_at, p.updated_at, en_avant and coalesce(featured_until > now(), true) as en_avant,
  case when en_avant and featured_until > now() then featured_until end as featured_until,
  case when a.id is not null then
    json_build_object('id', a.id, 'nom', a.nom, 'slug', a.slug, 'type', a.type, 'badge', a.badge) end as acteur,
  case when c.id is not null then json_build_object('id', c.id, 'slug', c.slug, 'nom', c.nom) end as commune,
  case when t.id is not null then json_build_object('id', t.id, 'slug', t.slug, 'libelle', t.libelle) end as type,
  array(select commune_id from publication_communes where publication_id = p.id order by 1) as commune_ids`
const publicationTables = `left join acteurs a on a.id = p.acteur_id left join communes c on c.id = p.commune_id
  left join publication_types t on t.id = p.type_id`
const visible = `p.valide and p.deleted_at is null and p.moderation_status in ('approved', 'published')
  and p.publie_le <= now() and (p.acteur_id is null or (a.active and a.deleted_at is null))`

/** Selects a page of the matches with the total. */
const page = (found: string, order: string, limit: string) => `
  with found as materialized (${found}),
  picked as materialized (select * from found order by ${order} limit ${limit})
  select (select count(*) from found) as total, ${publicationColumns}
  from (select 1) as one left join picked on true left join publications p on p.id = picked.id ${publicationTables}
  order by ${order.replace(/(\w+)( desc)?/g, 'picked.$1$2')}`

const featuredFirst = 'first desc, publie_le desc, id desc'
const featured = 'en_avant and coalesce(featured_until > now(), true) as first'

export const communes = named(
  'communes',
  `select id, slug, nom, code_insee, codes_postaux, departement from communes order by sort_name, id limit 15`,
)
export const commune = named(
  'commune',
  `select id, slug, nom, code_insee, codes_postaux, departement, region, population, latitude, longitude,
     mairie_actor_id from communes where slug = $1`,
)
export const infos = named(
  'infos',
  `select null as id, cle, null as libelle, valeur, null as position, true as mairie
   from communes c join acteurs a on a.id = c.mairie_actor_id and a.active and a.deleted_at is null
   cross join lateral (values ('adresse', adresse), ('telephone', telephone), ('email', email), ('site_web', site_web))
     contact (cle, valeur)
   where c.id = $1 and valeur <> ''
   union all
   (select id, cle, libelle, valeur, position, false from commune_infos where commune_id = $1 order by position, id)`,
)
export const types = named('types', 'select id, slug, libelle from publication_types order by position')
export const publication = named(
  'publication',
  `select ${publicationColumns} from publications p ${publicationTables} where p.id = $1 and ${visible}`,
)
export const anyPublication = named(
  'any_publication',
  `select ${publicationColumns} from publications p ${publicationTables} where p.id = $1`,
)
export const ofCommune = named(
  'of_commune',
  page(
    `select p.id, p.publie_le, ${featured} from publication_communes pc join publications p on p.id = pc.publication_id
     left join acteurs a on a.id = p.acteur_id where pc.commune_id = $1 and ${visible}`,
    featuredFirst,
    '$2 offset $3',
  ),
)
export const ofActeur = named(
  'of_acteur',
  page(
    `select p.id, p.publie_le, p.epingle as first from publications p left join acteurs a on a.id = p.acteur_id
     where p.acteur_id = $1 and ${visible}`,
    featuredFirst,
    '$2 offset $3',
  ),
)
export const search = named(
  'search',
  page(
    `select p.id, p.publie_le, ${featured} from publications p left join acteurs a on a.id = p.acteur_id
     where p.search @@ publication_query($1) and ${visible}`,
    featuredFirst,
    '$2 offset $3',
  ),
)

export const managed = named(
  'managed',
  `with picked as materialized (
     select id, created_at from publications where deleted_at is null order by created_at desc, id desc limit $1 offset $2)
   select (select count(*) from publications where deleted_at is null) as total, ${publicationColumns},
     p.moderation_reason, p.deleted_at, p.version,
     array_remove(array[case when not p.valide then 'not_valid' end,
       case when p.moderation_status = 'pending' then 'pending' end,
       case when p.moderation_status = 'rejected' then 'rejected' end, case when p.publie_le is null then 'no_time' end,
       case when p.publie_le > now() then 'not_yet' end, case when not a.active then 'acteur_inactive' end,
       case when a.deleted_at is not null then 'acteur_deleted' end], null) as hidden_because,
     (select count(*) from publication_reports r where r.publication_id = p.id and r.closed_at is null) as reports_open
   from picked join publications p on p.id = picked.id ${publicationTables}
   order by picked.created_at desc, picked.id desc`,
)

export const insertPublication = named(
  'insert_publication',
  `insert into publications (id, slug, title, body, acteur_id, commune_id, moderation_status, valide, publie_le,
     duplicate_key)
   values ($1, $2::text, $3, $4, $5, $6, 'published', true, now(), 's:' || md5($2::text))`,
)
export const insertCommune = named(
  'insert_commune',
  'insert into publication_communes (publication_id, commune_id) values ($1, $2)',
)
export const closeReports = named(
  'close_reports',
  'update publication_reports set closed_at = now() where publication_id = $1 and closed_at is null',
)
export const moderate = named(
  'moderate',
  `update publications set moderation_status = $2::text, valide = $2::text = 'published',
     publie_le = coalesce(publie_le, now()), version = version + 1 where id = $1`,
)
export const insertClaim = named(
  'insert_claim',
  'insert into claims (id, acteur_id, message, nom, email) values ($1, $2, $3, $4, $5)',
)
export const insertReport = named(
  'insert_report',
  `insert into publication_reports (id, publication_id, caller_key, day, category, reason)
   values ($1, $2, $3, current_date, $4, $5)`,
)
export const insertAuditEntries = named(
  'insert_trail',
  `insert into audit_log (id, action, entity, entity_id, after, app_source, request_id)
   values ($1, $2, 'publication', $3, $4, 'public', $5)`,
)
export const insertEvent = named(
  'insert_event',
  'insert into payment_events (id, type, occurred_at, fields) values ($1, $2, now(), $3) on conflict do nothing',
)
// Enqueues a job in the service's own queue; the service applies the effect.
export const insertJob = named(
  'insert_job',
  `insert into pgboss.job (name, data, singleton_key) select name, $1, $2 from pgboss.queue where name like '%event%' limit 1`,
)

const defibrillateurColumns = `id, gid, nom, adresse, code_postal, commune_nom, code_insee, latitude, longitude, acces,
  acces_libre, etage, acces_complement, disponibilite, disponibilite_complement, etat_fonctionnement, photo_url,
  date_installation, mis_a_jour_le, case when disponibilite = '24/7' then true end as ouvert`
export const nearest = named(
  'nearest',
  `with found as materialized (
     select ${defibrillateurColumns}, position <-> globe_point($1, $2) as chord from defibrillateurs
     where visible and position <@ cube_enlarge(globe_point($1, $2), 10000, 3)
       and position <-> globe_point($1, $2) <= 10000
     order by position <-> globe_point($1, $2), id limit 1000)
   select (select count(*) from found) as total, found.*,
     round(2 * 6371008.8 * asin(chord / (2 * 6371008.8)))::int as distance_m
   from found order by chord, id limit $3 offset $4`,
)
export const defibrillateurs = named(
  'defibrillateurs',
  `with found as materialized (
     select id, sort_name from defibrillateurs
     where visible and search_text like '% ' || search_key($1) || '%')
   select (select count(*) from found) as total, ${defibrillateurColumns}
   from defibrillateurs d where id in (select id from found order by sort_name, id limit $2 offset $3)
   order by sort_name, id`,
)
