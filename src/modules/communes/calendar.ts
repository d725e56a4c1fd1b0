import { isPublicHoliday } from '../../platform/time/public-holidays.ts'

export type CollecteSchedule = {
  jours: string[]
  toutes_les_semaines: number
  rang: Rang | null
  a_partir_du: string | null
  dates: string[]
  exceptions: { date: string; reportee_au: string | null }[]
}

/** Which of its weekdays in the month; -1: the last. */
export const rangs = [1, 2, 3, 4, -1] as const
export type Rang = (typeof rangs)[number]

export const JOURS = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'] as const

/** Adds the next dates to a collecte; flags those on a public holiday of the département unless settled. */
export function withNextDates<C extends CollecteSchedule>(collecte: C, today: string, departement: string) {
  const rounds = nextRounds(collecte, today)
  return {
    ...collecte,
    prochaines: rounds.map(({ date }) => date),
    passages: rounds.map(({ date, isSettled }) => ({
      date,
      jour_ferie: !isSettled && isHoliday(departement, date),
    })),
  }
}

/** `isSettled`: an exception moves a round to this day. */
type Round = { date: string; isSettled: boolean }

/**
 * Lists the next rounds of a collecte, today included, sorted, each day once. Ignores invalid values (an
 * impossible date, an unknown weekday).
 */
export function nextRounds(schedule: CollecteSchedule, today: string, count = 5): Round[] {
  const from = parseDay(today)
  if (from === null || !(count > 0)) return []
  const explicit = parseDays(schedule.dates)
  const recurrence = recurrenceOf(schedule)
  const { removed, added } = applyExceptions(
    schedule.exceptions,
    (day) => explicit.has(day) || recurrence.has(day),
  )

  const days = new Set(firstDays(recurrence, from, count, removed))
  for (const day of explicit) if (day >= from && !removed.has(day)) days.add(day)
  for (const day of added) if (day >= from) days.add(day)
  return [...days]
    .sort((a, b) => a - b)
    .slice(0, count)
    .map((day) => ({ date: formatDay(day), isSettled: added.has(day) }))
}

/** A day with a collection, or one without its usual collection because of an exception. */
export type CalendarDay = {
  date: string
  etat: (typeof etats)[number]
  reportee_au: string | null
  jour_ferie: boolean
}
export const etats = ['passage', 'reportee_ici', 'reportee', 'supprimee'] as const

/**
 * Lists the days from `from` to `to` that the schedule or an exception concerns. `useless`: exceptions on days
 * without a collection, which are ignored.
 */
export function calendarBetween(
  schedule: CollecteSchedule,
  { from, to, departement }: { from: string; to: string; departement: string },
): { days: CalendarDay[]; useless: string[] } {
  const explicit = parseDays(schedule.dates)
  const recurrence = recurrenceOf(schedule)
  const isRound = (day: number) => explicit.has(day) || recurrence.has(day)
  const { removed, added } = applyExceptions(schedule.exceptions, isRound)
  const moves = movesOf(schedule.exceptions)
  const days: CalendarDay[] = []
  const last = parseDay(to) ?? Number.NEGATIVE_INFINITY
  for (let day = parseDay(from) ?? Number.POSITIVE_INFINITY; day <= last; day++) {
    const date = formatDay(day)
    const reportee_au = removed.has(day) ? (moves.get(day) ?? null) : null
    const takesPlace = added.has(day) || (isRound(day) && !removed.has(day))
    if (takesPlace) {
      const jour_ferie = !added.has(day) && isHoliday(departement, date)
      days.push({ date, etat: added.has(day) ? 'reportee_ici' : 'passage', reportee_au, jour_ferie })
    } else if (removed.has(day))
      days.push({
        date,
        etat: reportee_au === null ? 'supprimee' : 'reportee',
        reportee_au,
        jour_ferie: false,
      })
  }
  const useless = schedule.exceptions.filter(({ date }) => !removed.has(parseDay(date) ?? Number.NaN))
  return { days, useless: useless.map(({ date }) => date) }
}

function isHoliday(departement: string, date: string): boolean {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return isPublicHoliday(departement, year, month, day)
}

const DAY_MS = 86_400_000

// Day numbers count from 1970-01-01, a Thursday; week numbers from the Monday before. Both may be negative.
const weekOf = (day: number) => Math.floor((day + 3) / 7)
const mondayOf = (week: number) => week * 7 - 3
const weekdayOf = (day: number) => day - mondayOf(weekOf(day))
// Months are counted by their first day.
const monthOf = (day: number) => day - new Date(day * DAY_MS).getUTCDate() + 1
const monthAfter = (month: number) => monthOf(month + 31)
const LAST_DAY = Date.UTC(9999, 11, 31) / DAY_MS

function parseDay(date: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return null
  const ms = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(ms)) return null
  // February 30th parses as March 2nd: only a date that round-trips is valid.
  const day = ms / DAY_MS
  return formatDay(day) === date ? day : null
}

function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

function parseDays(dates: string[]): Set<number> {
  return new Set(dates.map(parseDay).filter((day) => day !== null))
}

/** The days that come again and again: whether a day is one, and those from a day on, in order. */
type Recurrence = { has: (day: number) => boolean; from: (day: number) => Iterable<number> }

const nothing: Recurrence = { has: () => false, from: () => [] }

/** Returns nothing without weekdays or if weeks or months are unspecified: a wrong date is worse than none. */
function recurrenceOf({ jours, toutes_les_semaines, rang, a_partir_du }: CollecteSchedule): Recurrence {
  const weekdays = [...JOURS.keys()].filter((index) => jours.some((jour) => jour === JOURS[index]))
  const start = a_partir_du === null ? Number.NEGATIVE_INFINITY : parseDay(a_partir_du)
  const [weekday] = weekdays
  if (start === null || weekday === undefined) return nothing
  if (rang === null) return everyWeeks(weekdays, toutes_les_semaines, start)
  return weekdays.length === 1 && rangs.includes(rang) ? everyMonth(weekday, rang, start) : nothing
}

function everyWeeks(weekdays: number[], every: number, start: number): Recurrence {
  if (!Number.isSafeInteger(every) || every < 1) return nothing
  if (start === Number.NEGATIVE_INFINITY && every > 1) return nothing
  const anchorWeek = start === Number.NEGATIVE_INFINITY ? 0 : weekOf(start)
  return {
    has(day) {
      return day >= start && (weekOf(day) - anchorWeek) % every === 0 && weekdays.includes(weekdayOf(day))
    },
    *from(first) {
      const from = Math.max(first, start)
      const skipped = Math.ceil((weekOf(from) - anchorWeek) / every) * every
      for (let week = anchorWeek + skipped; mondayOf(week) <= LAST_DAY; week += every) {
        for (const weekday of weekdays) {
          const day = mondayOf(week) + weekday
          if (day >= from && day <= LAST_DAY) yield day
        }
      }
    },
  }
}

function everyMonth(weekday: number, rang: Rang, start: number): Recurrence {
  /** The one among the seven days from the first that may be it. */
  const dayIn = (firstOfMonth: number) => {
    const earliest = rang === -1 ? monthAfter(firstOfMonth) - 7 : firstOfMonth + (rang - 1) * 7
    return earliest + ((weekday - weekdayOf(earliest) + 7) % 7)
  }
  return {
    has: (day) => day >= start && day === dayIn(monthOf(day)),
    *from(first) {
      const from = Math.max(first, start)
      for (let month = monthOf(from); month <= LAST_DAY; month = monthAfter(month)) {
        const day = dayIn(month)
        if (day >= from) yield day
      }
    },
  }
}

/**
 * Applies exceptions to the dates of the schedule. Ignores an exception on any other day: the schedule may
 * have changed since, and an exception must not create a collection. For the same reason a moved collection
 * is not moved again: 25 → 26 and 26 → 28 December are two collections, each moved once. Tests each exception
 * separately, so it finds a move from long ago to tomorrow without searching the past.
 */
function applyExceptions(exceptions: CollecteSchedule['exceptions'], isRound: (day: number) => boolean) {
  const removed = new Set<number>()
  const added = new Set<number>()
  for (const [day, reportee_au] of movesOf(exceptions)) {
    if (day === null || !isRound(day)) continue
    removed.add(day)
    const moved = reportee_au === null ? null : parseDay(reportee_au)
    if (moved !== null) added.add(moved)
  }
  return { removed, added }
}

/** Returns where each day moves: of several exceptions for a day, which old data may have, the last one counts. */
const movesOf = (exceptions: CollecteSchedule['exceptions']) =>
  new Map(exceptions.map(({ date, reportee_au }) => [parseDay(date), reportee_au]))

/** Terminates: each step finds a date, and there are at most as many excluded dates as exceptions. */
function firstDays({ from }: Recurrence, first: number, count: number, removed: Set<number>): number[] {
  const days: number[] = []
  for (const day of from(first)) {
    if (removed.has(day)) continue
    days.push(day)
    if (days.length >= count) break
  }
  return days
}
