import {
  alertesEnded,
  alertesEndedOfGroup,
  alertesInForce,
  alertesOfGroup,
} from '../modules/alertes/queries.ts'
import type { Alerte, AlerteFields } from '../modules/alertes/schema.ts'
import { findVersion } from '../modules/communes/queries.ts'
import type { Commune, CommuneListed } from '../modules/communes/schema.ts'
import { findActeurId, findGroupChange } from '../modules/groups/queries.ts'
import type { Group } from '../modules/groups/schema.ts'
import type { Listed, ListPosition, PublicList } from '../modules/publications/reading/pages.ts'
import { listFirst } from '../modules/publications/reading/queries.ts'
import { isFeatured } from '../modules/publications/stored-lists.ts'
import { numberedPage } from '../platform/http/listing/list-page.ts'
import type { SiteBase } from './site.ts'

/**
 * A commune, or a group of communes: both have pages, feeds and calendars of what is published there. Of a commune that is all
 * that is for it; of a group, what its acteur publishes for its members.
 */
export type Place = {
  id: string
  slug: string
  nom: string
  /** Address of its page. */
  path: string
  /** The list of its publications. */
  list: Pick<PublicList, 'filters' | 'communeIds'>
  /** The communes whose publications belong to it; null: all. */
  communeIds: string[] | null
  /** Members that the site shows, if it is a group. */
  members: readonly CommuneListed[] | null
}

export const placeOfCommune = ({ id, slug, nom }: Pick<Commune, 'id' | 'slug' | 'nom'>): Place => ({
  ...{ id, slug, nom, path: `/communes/${slug}`, members: null },
  ...{ list: { filters: { commune_id: id }, communeIds: null }, communeIds: [id] },
})

type ShownGroup = { group: Group; members: readonly CommuneListed[]; communeIds: string[] | null }

export const placeOfGroup = ({
  group: { id, slug, nom, acteur },
  members,
  communeIds,
}: ShownGroup): Place => ({
  ...{ id, slug, nom, path: `/groupes/${slug}`, members, communeIds },
  list: { filters: { acteur_id: acteur?.id ?? noActeur }, communeIds },
})

const noActeur = '00000000-0000-0000-0000-000000000000'

/** Lists the first publications of a place, featured ones first unless sorted. */
export function publicationsOf(
  site: SiteBase,
  { list: { filters: own, communeIds } }: Pick<Place, 'list'>,
  filters: PublicList['filters'],
  limit: number,
  after?: ListPosition,
): Promise<Listed[]> {
  const list = {
    filters: { ...filters, ...own },
    ...{ communeIds, comesFirst: isFeatured },
    ...(after !== undefined && { after }),
  }
  return listFirst(site.lists, list, limit)
}

/** An alerte, with the group that alerts in a commune, or with names of the members of a group that it is for. */
export type AlerteOfPlace = AlerteFields & { group?: Alerte['group']; places?: readonly string[] }

const maxInForce = 50
const maxEnded = 50

/** Lists the alerts in force of a place. */
export async function alertesOf(site: SiteBase, place: Place): Promise<AlerteOfPlace[]> {
  const { id, members } = place
  if (members === null) return alertesOfCommune(site, place)
  const list = alertesOfGroup(site.clock(), id, place.communeIds)
  return named((await numberedPage(site.lists, list, {}, maxInForce)).data, members)
}

/** Lists the alerts in force of a commune, its groups' included. */
export const alertesOfCommune = async (site: SiteBase, { id }: Pick<Commune, 'id'>): Promise<Alerte[]> =>
  (
    await numberedPage(
      site.lists,
      alertesInForce(site.clock(), id),
      { commune_id: id, per_page: maxInForce },
      maxInForce,
    )
  ).data

/** Lists the alerts of a place that ended since a time, the latest end first. */
export async function alertesEndedIn(site: SiteBase, place: Place, since: Date): Promise<AlerteOfPlace[]> {
  const { id, members } = place
  const now = site.clock()
  if (members === null)
    return (await numberedPage(site.lists, alertesEnded(since, now, id), { commune_id: id }, maxEnded)).data
  const list = alertesEndedOfGroup(since, now, id, place.communeIds)
  return named((await numberedPage(site.lists, list, {}, maxEnded)).data, members)
}

/** Names the members that an alert is for, unless it is for all. */
function named(
  alertes: readonly (AlerteFields & { places: readonly string[] })[],
  members: readonly CommuneListed[],
): AlerteOfPlace[] {
  return alertes.map((alerte) => {
    const ids = new Set(alerte.places)
    const isForAll = ids.size >= members.length
    return {
      ...alerte,
      places: isForAll ? [] : members.filter(({ id }) => ids.has(id)).map(({ nom }) => nom),
    }
  })
}

/** Returns when a place was changed, for a feed or a calendar without entries. */
export const changeOf = async (site: SiteBase, { id, members }: Place): Promise<Date> =>
  members === null ? (await findVersion(site.reads, id)).updated_at : findGroupChange(site.reads, id)

/** Selects the acts of a place. Those of a group stay whatever becomes of its acteur. */
export async function actsFilterOf(site: SiteBase, { id, members, communeIds }: Place) {
  if (members === null) return { commune_id: id }
  const acteur_id = (await findActeurId(site.reads, id)) ?? noActeur
  return { acteur_id, ...(communeIds !== null && { within: communeIds }) }
}
