import { type RawBuilder, sql } from 'kysely'
import { documentsOf } from '../media/documents.ts'
import { coverOf, imagesOf, privateAddress, publicAddress } from '../media/images.ts'
import { ManagedPublication, MemberPublication, Publication } from './schema.ts'
import { featuredNow, hiddenBecause } from './visibility.ts'

/** All communes of `publications p`. */
export const communeIds = sql<string[]>`array(
  select pc.commune_id from publication_communes pc where pc.publication_id = p.id order by pc.commune_id)`

/** The next dates of a series `publications p`, without those called off: once for both fields that show them. */
const dates = sql<string[]>`array(
  select jour from unnest(p.jours) jour
  where jour >= (statement_timestamp() at time zone 'Europe/Paris')::date
    and not p.recurrence -> 'occurrences' @> jsonb_build_array(jsonb_build_object('date', jour, 'reportee_au', null))
  order by jour limit 10)`

/** Response fields that are not columns of `publications p`. */
const computed: Record<string, RawBuilder<unknown>> = {
  titre: sql`p.title`,
  status: sql`p.moderation_status`,
  commune_ids: communeIds,
  dates: sql`coalesce(next.dates, '{}')`,
  prochaine_date: sql`next.dates[1]`,
  derniere_date: sql`p.jours[cardinality(p.jours)]`,
  nombre_dates: sql`cardinality(p.jours)`,
  en_avant: featuredNow,
  featured_until: sql`case when ${featuredNow} then p.featured_until end`,
  acteur: sql`case when a.id is not null then
    json_build_object('id', a.id, 'nom', a.nom, 'slug', a.slug, 'type', a.type, 'badge', a.badge) end`,
  commune: sql`case when c.id is not null then json_build_object('id', c.id, 'slug', c.slug, 'nom', c.nom) end`,
  type: sql`case when t.id is not null then json_build_object('id', t.id, 'slug', t.slug, 'libelle', t.libelle) end`,
  hidden_because: hiddenBecause,
  hidden_in: sql`coalesce((
    select json_agg(json_build_object('id', hiding.id, 'slug', hiding.slug, 'nom', hiding.nom)
      order by hiding.sort_name, hiding.id)
    from publication_hidings h join communes hiding on hiding.id = h.commune_id where h.publication_id = p.id), '[]')`,
  image_problem: sql`case when p.image_url is not null and p.images is null then (
    select f.problem from image_fetches f where md5(f.address) = md5(p.image_url)
      and f.acteur_id is not distinct from p.acteur_id and f.address = p.image_url) end`,
  resubmitted: sql`p.resubmitted is true and p.moderation_status = 'pending'`,
  reports_open: sql`(
    select count(*)::int from publication_reports r where r.publication_id = p.id and r.closed_at is null)`,
}

/**
 * Selects every field of a response schema by name. Related data comes with the row, so the number of
 * statements does not grow with the list.
 */
function selectOf({ properties }: { properties: object }, base = privateAddress): RawBuilder<unknown> {
  // Added by a search.
  const names = Object.keys(properties).filter((name) => name !== 'found_in')
  const columns: typeof computed = {
    ...computed,
    image_url: sql`case when p.images is null then p.image_url else ${coverOf(sql`p.images`, base)} end`,
    images: imagesOf(sql`p.images`, base),
    documents: documentsOf(sql`p.documents`, base),
  }
  const stored = names.filter((name) => columns[name] === undefined).map((name) => `p.${name}`)
  const others = names.flatMap((name) => {
    const column = columns[name]
    return column === undefined ? [] : [sql`${column} as ${sql.ref(name)}`]
  })
  return sql`${sql.raw(stored.join(', '))}, ${sql.join(others)}`
}

export const publicColumns = selectOf(Publication, publicAddress)
export const memberColumns = selectOf(MemberPublication)
export const managedColumns = selectOf(ManagedPublication)

/** The tables that these columns need. */
export const publicationTables = sql`publications p
  left join acteurs a on a.id = p.acteur_id
  left join communes c on c.id = p.commune_id
  left join publication_types t on t.id = p.type_id
  left join lateral (select ${dates} as dates offset 0) next on p.jours is not null`
