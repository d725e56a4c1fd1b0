/** Hand-written SQL for the baseline on the real tables; each statement is prepared by name. */
const named = (name: string, text: string) => ({ name, text })

const publicationColumns = `p.id, p.slug, p.title, p.title as titre, p.body, p.type_id, p.date_debut, p.date_fin,
  p.heure_debut, p.heure_fin,
  p.source_url, p.image_url, p.lieu, p.acteur_id, p.commune_id, p.epingle, p.moderation_status, p.moderation_status as status,
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

/** Selects a page of the matches with the total. The literal limit tells the planner how few rows a page has. */
const page = (found: string, order: string, limit: string, columns = publicationColumns) => `
  with found as materialized (${found}),
  picked as materialized (select * from (select * from found order by ${order} limit ${limit}) page limit 100)
  select (select count(*) from found) as total, ${columns}
  from (select 1) as one left join picked on true left join publications p on p.id = picked.id ${publicationTables}
  order by ${order.replace(/(\w+)( desc)?/g, 'picked.$1$2')}`

const featuredFirst = 'first desc, publie_le desc, id desc'
const featured = 'en_avant and coalesce(featured_until > now(), true) as first'

export const communes = named(
  'communes',
  `select id, slug, nom, code_insee, codes_postaux, departement from communes order by sort_name, id limit $1 offset $2`,
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
    `select l.publication_id as id, l.publie_le, coalesce(l.featured_until > now(), false) as first
     from publications p cross join lateral (
       select * from publication_listings where publication_id = p.id
         and commune_id = '00000000-0000-0000-0000-000000000000' offset 0) l
     where p.search @@ (select publication_query($1)) and l.publie_le <= now()`,
    featuredFirst,
    '$2 offset $3',
    `${publicationColumns}, p.deleted_at`,
  ),
)

/** Finds an administrator by the subject of a token. */
export const administrator = named(
  'administrator',
  `select u.id from users u where issuer = 'parvis' and subject = $1 and actif
     and exists (select from user_roles r where r.user_id = u.id and r.role = 'admin')`,
)

/**
 * Selects a page of the back-office with its exact total: all fields of the response but `can`, with the record of each
 * acteur read once.
 */
const managedPage = (condition: string, limit: string) =>
  `with picked as materialized (
     select * from (
       select id, acteur_id, created_at from publications where ${condition}
       order by created_at desc, id desc limit ${limit}) page limit 100),
   records as materialized (
     select acteur.id, json_build_object(
       'published', count(*) filter (where p.moderation_status in ('approved', 'published') and p.deleted_at is null),
       'rejected', count(*) filter (where p.moderation_status = 'rejected'),
       'reported', count(*) filter (where exists (
         select from publication_reports r where r.publication_id = p.id))) as record
     from (select distinct acteur_id as id from picked) acteur cross join lateral (
       select p.id, p.moderation_status, p.deleted_at from publications p
       where p.acteur_id = acteur.id and p.created_at > now() - interval '1 year'
       order by p.created_at desc, p.id desc limit 200) p
     group by acteur.id)
   select (select count(*) from publications where ${condition}) as total,
     json_build_array(picked.created_at, picked.id) as place, ${publicationColumns},
     p.moderation_reason, p.deleted_at, p.version,
     array_remove(array[case when p.deleted_at is not null then 'deleted' end, case when not p.valide then 'not_valid' end,
       case when p.moderation_status = 'pending' then 'pending' end,
       case when p.moderation_status = 'rejected' then 'rejected' end, case when p.publie_le is null then 'no_time' end,
       case when p.publie_le > now() then 'not_yet' end, case when not a.active then 'acteur_inactive' end,
       case when a.deleted_at is not null then 'acteur_deleted' end], null) as hidden_because,
     p.created_by,
     (select json_build_object('id', u.id, 'nom', u.nom) from users u where u.id = p.created_by) as created_by_user,
     (select json_build_object('id', s.id, 'nom', s.nom) from import_items i join import_sources s on s.id = i.source_id
       where i.publication_id = p.id) as source,
     reports_open, json_build_object('open', reports_open, 'categories', categories, 'latest_at', latest_at)
       as reports_summary, records.record
   from picked join publications p on p.id = picked.id ${publicationTables}
   left join records on records.id = p.acteur_id
   cross join lateral (
     select count(*) as reports_open,
       coalesce(json_agg(distinct r.category) filter (where r.category is not null), '[]') as categories,
       to_char(max(r.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as latest_at
     from publication_reports r where r.publication_id = p.id and r.closed_at is null) reports
   order by picked.created_at desc, picked.id desc`
export const managed = named('managed', managedPage('deleted_at is null', '$1 offset $2'))
export const managedByStatus = named(
  'managed_by_status',
  managedPage('deleted_at is null and moderation_status = $1', '$2 offset $3'),
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
/** Locks a publication and records its state before a decision, which can be undone. */
export const recordDecision = named(
  'record_decision',
  `with locked as (
     select id, version, jsonb_build_object('moderation_status', moderation_status, 'moderation_reason', moderation_reason,
       'decided_centrally', decided_centrally, 'valide', valide, 'publie_le', publie_le, 'en_avant', en_avant,
       'featured_until', featured_until, 'deleted_at', deleted_at, 'reports', '[]'::jsonb) as before
     from publications where id = $3 for no key update),
   made as (
     insert into decisions (id, kind, action, decided_by) values ($1, 'publication', 'publication.moderate', $2))
   insert into decision_items (decision_id, record_id, version_before, version, before)
   select $1, id, version, version + 1, before from locked`,
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
  'insert_audit',
  `insert into audit_log (id, action, entity, entity_id, after, app_source, request_id, user_id)
   values ($1, $2, 'publication', $3, $4, 'public', $5, $6)`,
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
     select ${defibrillateurColumns}, position <-> (select globe_point($1, $2)) as chord from defibrillateurs
     where visible and position <@ cube_enlarge((select globe_point($1, $2)), 10000, 3)
       and position <-> (select globe_point($1, $2)) <= 10000
     order by position <-> (select globe_point($1, $2)), id limit 1000)
   select (select count(*) from found) as total, found.*,
     round(2 * 6371008.8 * asin(chord / (2 * 6371008.8)))::int as distance_m
   from found order by chord, id limit $3 offset $4`,
)
export const defibrillateurs = named(
  'defibrillateurs',
  `with found as materialized (
     select id, sort_name from defibrillateurs
     where visible and search_text like (select '% ' || search_key($1) || '%'))
   select (select count(*) from found) as total, ${defibrillateurColumns}
   from defibrillateurs d where id in (select id from found order by sort_name, id limit $2 offset $3)
   order by sort_name, id`,
)
