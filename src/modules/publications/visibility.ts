import { type RawBuilder, sql } from 'kysely'

/**
 * The one rule of what anybody may see, over `publications p left join acteurs a on a.id = p.acteur_id`. Every public
 * read, list, count, search and report goes through it. A time still to come makes it visible by itself when it is due.
 */
export const visible: RawBuilder<boolean> = sql<boolean>`(
  p.valide and p.deleted_at is null and p.moderation_status in ('approved', 'published') and p.publie_le <= now()
  and (p.acteur_id is null or (a.active and a.deleted_at is null)))`

/** Featured, and not past its end. */
export const featuredNow: RawBuilder<boolean> = sql<boolean>`(
  p.en_avant and (p.featured_until is null or p.featured_until > now()))`

/** Within what an application that is restricted to communes shows; null: no restriction. */
export function inScope(communeIds: string[] | null): RawBuilder<boolean> {
  if (communeIds === null) return sql<boolean>`true`
  return sql<boolean>`exists (
    select from publication_communes pc where pc.publication_id = p.id and pc.commune_id = any(${communeIds}::uuid[]))`
}
