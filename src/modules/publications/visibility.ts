import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../platform/access/caller.ts'

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

/** Attached to one of these communes. */
export const attachedTo = (communeIds: string[]): RawBuilder<boolean> => sql<boolean>`exists (
    select from publication_communes pc where pc.publication_id = p.id and pc.commune_id = any(${communeIds}::uuid[]))`

/** The communes that the application is restricted to; null: no restriction. */
export const restrictionOf = ({ source }: Caller): string[] | null => source?.communeIds ?? null

/** Whether the application shows a publication of these communes. */
export function isInScope(caller: Caller, { commune_ids }: { commune_ids: string[] }): boolean {
  const communeIds = restrictionOf(caller)
  return communeIds === null || commune_ids.some((id) => communeIds.includes(id))
}
