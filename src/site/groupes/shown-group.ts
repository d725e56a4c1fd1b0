import { listMembers } from '../../modules/groups/queries.ts'
import { findGroup } from '../../modules/groups/reading.ts'
import { restrictionOf } from '../../modules/publications/visibility.ts'
import type { Caller } from '../../platform/access/caller.ts'
import { notFound } from '../../platform/errors.ts'
import type { Site } from '../site.ts'

export const tablesOfGroup = ['groups', 'group_communes', 'acteurs']

/** Finds a group, with those of its members that the site shows; 404 if it shows none. */
export async function shownGroup(site: Site, caller: Caller, idOrSlug: string) {
  const group = await findGroup(site.reads, idOrSlug)
  if (group === null) throw notFound()
  const communeIds = restrictionOf(caller)
  const members = await listMembers(site.lists, group.id, communeIds)
  if (communeIds !== null && members.length === 0) throw notFound()
  return { group, members, communeIds }
}
