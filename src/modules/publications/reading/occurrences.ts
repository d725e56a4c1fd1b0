import { sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/listing/paging.ts'
import { asked, onDays } from './materialised-list.ts'
import { type ListPage, type PublicList, readPage } from './pages.ts'

/**
 * Returns a page of the dates of events: each date of a series, or the next one that is not called off. A list has one row
 * for a series, which ends with its last date: its days come from the publication, which few rows need.
 */
export function listOccurrences(
  db: Database,
  list: PublicList,
  each: 'date' | 'next date',
  { limit, offset }: Paging,
): Promise<ListPage> {
  const { filters } = list
  const { date_debut_min, date_fin_min, ...others } = filters
  const from = [date_debut_min, date_fin_min]
    .filter((day) => day !== undefined)
    .sort()
    .at(-1)
  // The series that have a day from then on.
  const ofSeries = { ...list, filters: { ...others, ...(from !== undefined && { date_fin_min: from }) } }
  return readPage(db, list, (listings) => ({
    found: sql`
      series as materialized (
        select s.id, s.jours, s.date_fin - s.date_debut as days, s.recurrence
        from ${listings} l join publications s on s.id = l.publication_id and s.jours is not null
        where ${allOf(asked(ofSeries, listings), goesOn)}),
      found as materialized (
        select l.publication_id, l.date_debut as jour from ${listings} l
        where ${asked(list, listings)} and l.publication_id not in (select id from series)
        union all
        select l.publication_id, ${each === 'date' ? sql`l.date_debut` : sql`min(l.date_debut)`} from (
          select s.id as publication_id, jour as date_debut, jour + s.days as date_fin
          from series s cross join lateral unnest(s.jours) jour
          where ${each === 'next date' ? isNotCalledOff : sql`true`}) l
        where ${onDays(filters)}
        ${each === 'date' ? sql`` : sql`group by l.publication_id`})`,
    total: sql`(select count(*) from found)`,
    page: sql`
      select publication_id, 1 as part, jour from found order by jour, publication_id limit ${limit} offset ${offset}`,
    isPlannedEachTime: true,
  }))
}

/** A series has at least two days. */
const goesOn = sql<boolean>`l.date_fin > l.date_debut`

const isNotCalledOff = sql<boolean>`not s.recurrence -> 'occurrences' @> jsonb_build_array(
  jsonb_build_object('date', jour, 'reportee_au', null))`
