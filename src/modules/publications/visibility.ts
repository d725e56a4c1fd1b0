import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../platform/access/caller.ts'
import { anyOf } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'

/**
 * The visibility rule over `publications p left join acteurs a on a.id = p.acteur_id`: a database function
 * that also fills the lists. It uses the time of the statement, so a scheduled publication becomes visible
 * when due, and a transaction sees what it has just published.
 */
export const visible: RawBuilder<boolean> = sql<boolean>`(
  is_listed(p, a) and p.publie_le <= statement_timestamp())`

/** The visibility rule split into the reasons that hide a publication now. A visible publication has none. */
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

/** Condition: one of these reasons applies. Over `publications p` alone. */
export function isHiddenBecause(asked: readonly HiddenBecause[]): RawBuilder<boolean> {
  // Hidden acteurs are few, so an index finds their publications.
  const ofActeur = (condition: RawBuilder<unknown>) =>
    sql<boolean>`p.acteur_id = any(array(select a.id from acteurs a where ${condition}))`
  return anyOf(
    ...[...new Set(asked)].map((reason) =>
      reason === 'acteur_inactive' || reason === 'acteur_deleted'
        ? ofActeur(reasons[reason])
        : sql<boolean>`${reasons[reason]}`,
    ),
  )
}

export const hiddenBecause: RawBuilder<HiddenBecause[]> = sql<HiddenBecause[]>`array_remove(array[${sql.join(
  hiddenReasons.map((reason) => sql`case when ${reasons[reason]} then ${sql.lit(reason)} end`),
)}], null)`

/** Featured and not past its end. */
export const featuredNow: RawBuilder<boolean> = sql<boolean>`(
  p.en_avant and (p.featured_until is null or p.featured_until > now()))`

/** Attached to one of these communes, or published for a group with one of them, also where their mairies hide it. */
export const attachedTo = (communeIds: string[]): RawBuilder<boolean> =>
  placedIn(sql`publication_places`, communeIds)

/** The same, unless the mairies of all of them hide it. */
export const shownIn = (communeIds: string[]): RawBuilder<boolean> => placedIn(sql`shown_places`, communeIds)

const placedIn = (places: RawBuilder<unknown>, communeIds: string[]) => sql<boolean>`exists (
    select from ${places} pp where pp.publication_id = p.id and pp.commune_id = any(${communeIds}::uuid[]))`

/** Communes the application is restricted to; null: no restriction. */
export const restrictionOf = ({ source }: Caller): string[] | null => source?.communeIds ?? null

/** True when a publication belongs to one of the communes of the application, as its members see it. */
export const isInScope = (db: Database, caller: Caller, publication: { id: string }): Promise<boolean> =>
  isIn(attachedTo, db, caller, publication)

/** True when the application shows a publication to the public in one of its communes. */
export const isShown = (db: Database, caller: Caller, publication: { id: string }): Promise<boolean> =>
  isIn(shownIn, db, caller, publication)

async function isIn(
  places: typeof attachedTo,
  db: Database,
  caller: Caller,
  { id }: { id: string },
): Promise<boolean> {
  const communeIds = restrictionOf(caller)
  if (communeIds === null) return true
  const { rows } = await sql`
    select from publications p where p.id = ${id} and ${places(communeIds)}`.execute(db)
  return rows.length > 0
}
