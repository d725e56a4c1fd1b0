import { sql } from 'kysely'

/** A commune, or a group of communes: what its acteur alerts and publishes. */
export type FollowedPlace = { id: string; isGroup: boolean }

/** The names of communes and groups, to be joined by id. */
export const namedPlaces = sql`(
  select id, slug, nom, sort_name, false as is_group, '/communes/' || slug as path from communes
  union all
  select id, slug, nom, sort_name, true, '/groupes/' || slug from groups)`

/** The messages that a resident may choose about a commune, as `resident_choices` stores it. A group has no collections. */
export type Choice = {
  alertes: (typeof alertesLevels)[number]
  collectes_hour: number | null
  collectes_secteur: string | null
  actualites: boolean
}
export const alertesLevels = ['all', 'urgent', 'none'] as const

/** Whether a choice asks for anything. The database refuses others. */
export const isSomething = ({ alertes, collectes_hour, actualites }: Choice): boolean =>
  alertes !== 'none' || collectes_hour !== null || actualites
