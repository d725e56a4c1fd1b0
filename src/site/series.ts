import {
  type DateOfSeries,
  listByIds,
  mapNextDates,
  seriesKeyOf,
} from '../modules/publications/reading/series.ts'
import type { Publication } from '../modules/publications/schema.ts'
import type { Database } from '../platform/database/connect.ts'

/**
 * `nextDates`: of a series of publications, from today on, its own included. `seriesId`: the first publication of the series in
 * the list, which stays when a date is over.
 */
export type InSeries = { nextDates?: readonly string[]; seriesId?: string }

/**
 * Makes one row of the publications that are dates of one series: its next date, in the place of the first of them. A series
 * that is over keeps its last date. Reads at most two statements, whatever the number of rows.
 */
export async function foldSeries<Row extends Publication>(
  { lists }: { lists: Database },
  rows: readonly Row[],
  today: string,
  communeIds: string[] | null,
): Promise<(Row & InSeries)[]> {
  const dates = await mapNextDates(lists, rows, today, communeIds)
  const shown = new Map(rows.map((row) => [row.id, row]))
  const missing = [...dates.values()].flatMap(([next]) => (next && !shown.has(next.id) ? [next.id] : []))
  const read = missing.length > 0 ? await listByIds(lists, missing) : []
  const others = new Map(read.map((one) => [one.id, one]))
  const groups = Map.groupBy(rows, (row) => seriesKeyOf(row) ?? row.id)
  return [...groups].map(([key, own]) => {
    const next = dates.get(key) ?? []
    const [first] = own
    const underWay = own.find(({ date_debut, date_fin }) => isUnderWay(date_debut, date_fin, today))
    const row = underWay ?? nextOf(own, next, shown, others)
    const nextDates = [
      ...(underWay?.date_debut ? [underWay.date_debut] : []),
      ...next.map(({ jour }) => jour),
    ]
    return {
      ...row,
      ...(nextDates.length > 1 && { nextDates }),
      ...(first !== undefined && own.length > 1 && { seriesId: first.id }),
    }
  })
}

const isUnderWay = (first: string | null, last: string | null, today: string) =>
  first !== null && first < today && (last ?? first) >= today

/** The next date of a series, else its last one in the list. */
function nextOf<Row extends Publication>(
  own: readonly Row[],
  [next]: readonly DateOfSeries[],
  shown: ReadonlyMap<string, Row>,
  others: ReadonlyMap<string, Publication>,
): Row {
  const last = own.reduce((latest, row) =>
    (row.date_debut ?? '') > (latest.date_debut ?? '') ? row : latest,
  )
  return next === undefined ? last : (shown.get(next.id) ?? { ...last, ...others.get(next.id) })
}
