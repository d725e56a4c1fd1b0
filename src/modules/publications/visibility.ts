import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../platform/access/caller.ts'

/**
 * What anybody may see, over `publications p left join acteurs a on a.id = p.acteur_id`: by the one rule, which stands in
 * the database and also fills the lists. A time still to come makes it visible by itself when it is due: by the time of the
 * statement, so that what a transaction has just published is visible to its own answer.
 */
export const visible: RawBuilder<boolean> = sql<boolean>`(
  is_listed(p, a) and p.publie_le <= statement_timestamp())`

/** Why nobody sees it now: the same rule, told apart. A publication that is visible has none of these. */
const reasons = {
  deleted: sql`p.deleted_at is not null`,
  not_valid: sql`not p.valide`,
  pending: sql`p.moderation_status = 'pending'`,
  rejected: sql`p.moderation_status = 'rejected'`,
  no_time: sql`p.publie_le is null`,
  not_yet: sql`p.publie_le > statement_timestamp()`,
  acteur_inactive: sql`not a.active`,
  acteur_deleted: sql`a.deleted_at is not null`,
}
export type HiddenBecause = keyof typeof reasons
export const hiddenReasons = Object.keys(reasons) as HiddenBecause[]

export const hiddenBecause: RawBuilder<HiddenBecause[]> = sql<HiddenBecause[]>`array_remove(array[${sql.join(
  hiddenReasons.map((reason) => sql`case when ${reasons[reason]} then ${sql.lit(reason)} end`),
)}], null)`

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
