import { sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'
import type { AddressList } from '../../platform/http/listing/addresses.ts'
import { slugOf } from './files.ts'
import { isListed, isOfCommunes } from './queries.ts'
import { actsList } from './reading.ts'

/**
 * Acts that search engines, feeds and open data get: in force or corrected, and about nobody. What names a person is on line as
 * the law wants, but is not spread further.
 */
export const isOpen = sql<boolean>`(${isListed} and ac.state <> 'occulted' and not ac.individual)`

export const openActsList = { ...actsList, name: 'open acts', where: isOpen }

/** True for an act that search engines may show. */
export const isOpenAct = ({ state, individual }: { state: string; individual: boolean }): boolean =>
  !individual && (state === 'published' || state === 'superseded')

type Addressed = Parameters<typeof slugOf>[0] & { id: string }

/** The last part of the address of the page of an act. */
export const addressOf = ({ id, title }: Addressed): string => `${id}-${slugOf({ title })}`

export const addressesOfActs = (communeIds: readonly string[] | null): AddressList => ({
  table: 'acts',
  from: sql`acts ac`,
  where: allOf(isOpen, communeIds !== null && isOfCommunes(communeIds)),
  at: sql`ac.published_at`,
  id: sql`ac.id`,
  named: { by: sql`r.title`, slugOf: (title, id) => addressOf({ id, title }) },
})
