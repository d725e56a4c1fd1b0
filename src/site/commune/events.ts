import { daysLater } from '../../modules/communes/calendar.ts'
import type { Commune } from '../../modules/communes/schema.ts'
import type { Publication } from '../../modules/publications/schema.ts'
import { publicationsOf } from '../commune-pages.ts'
import type { Site } from '../site.ts'

/** Days, the first and the last one included; no last one: without an end. */
export type Days = { from: string; to?: string }

/**
 * Lists the events that begin in these days. What is under way by then follows if there is room, the last begun first: it
 * would hide the others for months.
 */
export async function eventsIn(
  site: Site,
  commune: Commune,
  { from, to }: Days,
  max: number,
): Promise<Publication[]> {
  const within = { sort: 'date_debut_asc', date_debut_min: from, ...(to && { date_debut_max: to }) } as const
  const { rows: next } = await publicationsOf(site, commune, within, max)
  if (next.length === max) return next
  const before = { sort: 'date_debut_asc', date_fin_min: from, date_debut_max: daysLater(from, -1) } as const
  const { rows: underWay } = await publicationsOf(site, commune, before, maxUnderWay)
  return [...next, ...underWay.toReversed()].slice(0, max)
}

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
export function daysWithout(events: readonly Publication[], { from, to }: Required<Days>): string[] {
  const days = []
  for (let day = from; day <= to; day = daysLater(day, 1)) days.push(day)
  return days.filter(
    (day) =>
      !events.some(
        ({ date_debut, date_fin }) => (date_debut ?? '') <= day && day <= (date_fin ?? date_debut ?? ''),
      ),
  )
}
