import { type RawBuilder, sql } from 'kysely'
import { featuredNow } from './visibility.ts'

/** A publication with all that its answers show, in one row. */
export type PublicationRow = {
  id: string
  slug: string
  title: string
  body: string
  acteur_id: string | null
  acteur: { id: string; nom: string; slug: string } | null
  commune_id: string | null
  commune_ids: string[]
  type_id: string | null
  type: { id: string; slug: string; libelle: string } | null
  date_debut: string | null
  date_fin: string | null
  source_url: string | null
  image_url: string | null
  epingle: boolean
  moderation_status: 'pending' | 'approved' | 'published' | 'rejected'
  moderation_reason: string | null
  valide: boolean
  publie_le: Date | null
  en_avant: boolean
  featured_until: Date | null
  deleted_at: Date | null
  version: number
  created_at: Date
  updated_at: Date
  duplicate_key: string
  reports_open: number
}

/**
 * The columns of `PublicationRow`, over `publications p left join acteurs a … left join publication_types t …`. What
 * hangs on a row comes with it: a list of a hundred costs the statements of a list of one.
 */
export const publicationColumns: RawBuilder<PublicationRow> = sql<PublicationRow>`
  p.id, p.slug, p.title, p.body, p.acteur_id, p.commune_id, p.type_id, p.date_debut, p.date_fin, p.source_url,
  p.image_url, p.epingle, p.moderation_status, p.moderation_reason, p.valide, p.publie_le, p.deleted_at, p.version,
  p.created_at, p.updated_at, p.duplicate_key,
  ${featuredNow} as en_avant,
  case when ${featuredNow} then p.featured_until end as featured_until,
  case when a.id is not null then json_build_object('id', a.id, 'nom', a.nom, 'slug', a.slug) end as acteur,
  case when t.id is not null then json_build_object('id', t.id, 'slug', t.slug, 'libelle', t.libelle) end as type,
  array(select pc.commune_id from publication_communes pc where pc.publication_id = p.id order by pc.commune_id)
    as commune_ids,
  (select count(*)::int from publication_reports r where r.publication_id = p.id and r.closed_at is null)
    as reports_open`

/** The tables that the columns above come from. */
export const publicationTables = sql`publications p
  left join acteurs a on a.id = p.acteur_id
  left join publication_types t on t.id = p.type_id`
