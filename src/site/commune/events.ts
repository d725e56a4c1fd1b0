import type { Listed } from '../../modules/publications/reading/pages.ts'
import { listFirst, listShown } from '../../modules/publications/reading/queries.ts'
import type { PublicQuery } from '../../modules/publications/reading/schema.ts'
import { isCalledOff } from '../../modules/publications/recurrence.ts'
import type { Publication } from '../../modules/publications/schema.ts'
import { isFeatured } from '../../modules/publications/stored-lists.ts'
import { pagingOf } from '../../platform/http/listing/paging.ts'
import { daysBetween, daysLater } from '../../platform/time/days.ts'
import type { Place } from '../place.ts'
import { foldSeries, type InSeries } from '../series.ts'
import type { SiteBase } from '../site.ts'

/** Days, the first and the last one included; no last one: the year that follows. */
export type Days = { from: string; to?: string }

/** An event on one of its dates, which may be called off. */
export type Event = Publication & InSeries & { isCalledOff: boolean }

/** Lists the events of a place by day, with a row for each date of a series, or for its next one. */
export async function datesOf(
  site: SiteBase,
  place: Pick<Place, 'list' | 'communeIds'>,
  each: 'date' | 'next date',
  { page = 1, ...filters }: Pick<PublicQuery, 'date_debut_min' | 'date_debut_max' | 'date_fin_min' | 'page'>,
  perPage: number,
): Promise<{ rows: Event[]; total: number }> {
  const list = {
    filters: { ...filters, sort: 'date_debut_asc' as const, ...place.list.filters },
    ...{ communeIds: place.list.communeIds, comesFirst: isFeatured, each },
  }
  const { rows, total } = await listShown(site.lists, list, pagingOf({ page, per_page: perPage }, perPage))
  const from = filters.date_debut_min
  const isFolded = each === 'next date' && from !== undefined
  const shown = isFolded ? await foldSeries(site, rows, from, place.communeIds) : rows
  return { rows: shown.map(onItsDay), total }
}

/** Lists the next dates of what an acteur announces, as far as these communes show it. */
export async function nextDatesOfActeur(
  site: SiteBase,
  { acteurId, communeIds }: { acteurId: string; communeIds: string[] | null },
  today: string,
  max: number,
): Promise<Event[]> {
  const filters = { acteur_id: acteurId, sort: 'date_debut_asc' as const, date_fin_min: today }
  const list = { filters, communeIds, comesFirst: isFeatured, each: 'next date' as const }
  const rows = await listFirst(site.lists, list, max * perSeries)
  const folded = await foldSeries(site, rows, today, communeIds)
  return folded.slice(0, max).map(onItsDay)
}

/** Dates of series that are publications of their own are read with those that are shown. */
const perSeries = 4

function onItsDay({ jour, ...event }: Listed & InSeries): Event {
  const { recurrence, date_debut, date_fin } = event
  if (recurrence === null || date_debut === null || jour === undefined)
    return { ...event, isCalledOff: false }
  const days = daysBetween(date_debut, date_fin ?? date_debut)
  return {
    ...{ ...event, date_debut: jour, date_fin: days > 0 ? daysLater(jour, days) : null, recurrence: null },
    isCalledOff: isCalledOff(recurrence, jour),
  }
}

/**
 * Lists the events that begin in these days. What is under way by then follows if there is room, the last begun first: it
 * would hide the others for months.
 */
export async function eventsIn(
  site: SiteBase,
  place: Place,
  each: 'date' | 'next date',
  { from, to }: Days,
  max: number,
): Promise<Event[]> {
  const ends = to === undefined ? [fewDays, maxDays].map((days) => daysLater(from, days)) : [to]
  let next: Event[] = []
  for (const end of ends) {
    const within = { date_debut_min: from, date_debut_max: end }
    const most = each === 'date' ? max : max * perSeries
    next = (await datesOf(site, place, each, within, most)).rows.slice(0, max)
    if (next.length === max) return next
  }
  const before = { date_fin_min: from, date_debut_max: daysLater(from, -1) }
  const { rows: underWay } = await datesOf(site, place, each, before, maxUnderWay)
  const isNew = ({ id }: Event) => each === 'date' || !next.some((event) => event.id === id)
  return [...next, ...underWay.toReversed().filter(isNew)].slice(0, max)
}

/** Returns the first events in their order. Those called off are among them if there is room. */
export function firstOf(events: readonly Event[], max: number): Event[] {
  const takesPlace = events.filter(({ isCalledOff }) => !isCalledOff)
  const shown = new Set([...takesPlace, ...events].slice(0, max))
  return events.filter((event) => shown.has(event))
}

/** Where much happens, few of its dates fill the page; elsewhere those of a year are few. */
const fewDays = 31
/** As far as the agenda looks ahead. */
const maxDays = 366
const maxUnderWay = 20

/** The days of this week-end that are left, else of the next one. */
export function weekendOf(today: string): Required<Days> {
  const { dayOfWeek } = Temporal.PlainDate.from(today)
  return {
    from: dayOfWeek === 7 ? today : daysLater(today, 6 - dayOfWeek),
    to: daysLater(today, 7 - dayOfWeek),
  }
}

/** The days of these on which no event takes place. */
export function daysWithout(events: readonly Event[], { from, to }: Required<Days>): string[] {
  const days = []
  for (let day = from; day <= to; day = daysLater(day, 1)) days.push(day)
  return days.filter(
    (day) =>
      !events.some(
        ({ date_debut, date_fin, isCalledOff }) =>
          !isCalledOff && (date_debut ?? '') <= day && day <= (date_fin ?? date_debut ?? ''),
      ),
  )
}
