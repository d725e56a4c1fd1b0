import { calendarDays, clockOf } from './open-now.ts'
import {
  closesByDate,
  type Day,
  isDated,
  isOfDates,
  isOpenAt,
  type OpeningHours,
  type Rule,
} from './opening-hours.ts'

/** Whether something is open, and when that changes: minutes after midnight of a day. */
export type OpeningState = {
  isOpen: boolean
  /** Today is a public holiday. */
  isHoliday: boolean
  /** It is closed today by its date, whatever the hours of the week. */
  isClosedByDate: boolean
  today: string
  change: Change | null
  /** The change after this one, such as the end of a break. */
  following: Change | null
}
type Change = { date: string; minute: number }

const dayMinutes = 1_440
const dayMs = 86_400_000
/** Longer than the days off that follow each other; with dates, than the holidays of a summer. */
const [maxDays, maxDaysOfDates] = [14, 62]

/** Offices are closed on public holidays, unless their hours name these, or the date. */
export function withHolidaysOff(hours: OpeningHours): OpeningHours {
  if (hours === 'always' || hours.some(({ holidays }) => holidays)) return hours
  const closed = { periods: null, days: new Set<number>(), holidays: true, spans: [], adds: false }
  const at = hours.findIndex(isOfDates)
  return hours.toSpliced(at < 0 ? hours.length : at, 0, closed)
}

/** Returns whether it would be open at some time of this day, were it no public holiday, on which it is closed. */
export function isClosedForHoliday(hours: OpeningHours, departement: string, date: string): boolean {
  const [day] = calendarDays(new Date(`${date}T00:00:00Z`), departement)
  if (hours === 'always' || day?.isHoliday !== true) return false
  const isOpenOn = (one: Day) =>
    boundariesOf(hours).some((minute) => isOpenAt(hours, minute, one, { ...one, weekday: -1 }) === true)
  return !isOpenOn(day) && isOpenOn({ ...day, isHoliday: false })
}

/**
 * Returns whether it is open at `now`, by the local time and the public holidays of its département; null where that is
 * unknown, as on a holiday of some communes of the département only.
 */
export function openingStateAt(hours: OpeningHours, departement: string, now: Date): OpeningState | null {
  const clock = clockOf(now, departement)
  const isOpenOn = (day: number, minute: number): boolean | null => {
    const at = (offset: number) => calendarDays(new Date(clock.today.getTime() + offset * dayMs), departement)
    const answers = at(day).flatMap((today) =>
      at(day - 1).map((before) => isOpenAt(hours, minute, today, before)),
    )
    return answers.every((open) => open === answers[0]) ? (answers[0] ?? null) : null
  }
  const isOpen = isOpenOn(0, clock.minute)
  if (isOpen === null) return null
  const change = findChange({ day: 0, minute: clock.minute }, isOpen)
  const following = change && findChange(change, !isOpen)
  return {
    isOpen,
    isHoliday: calendarDays(clock.today, departement).every(({ isHoliday }) => isHoliday),
    isClosedByDate: closesByDate(hours, dateOf(clock.today)),
    today: dateOf(clock.today),
    change: change && momentOf(change),
    following: following && momentOf(following),
  }

  function momentOf({ day, minute }: { day: number; minute: number }): Change {
    return { date: dateOf(new Date(clock.today.getTime() + day * dayMs)), minute }
  }

  /** Finds when it is open no longer, or open again; null if that is unknown or far away. */
  function findChange(after: { day: number; minute: number }, isOpen: boolean) {
    const minutes = hours === 'always' ? [] : boundariesOf(hours)
    const days = hours !== 'always' && hours.some(isDated) ? maxDaysOfDates : maxDays
    for (let { day } = after; day <= days; day++)
      for (const minute of minutes) {
        if (day === after.day && minute <= after.minute) continue
        const next = isOpenOn(day, minute)
        if (next === null) return null
        if (next !== isOpen) return { day, minute }
      }
    return null
  }
}

const dateOf = (day: Date) => day.toISOString().slice(0, 10)

/** The minutes of a day at which it may open or close, in their order. */
function boundariesOf(hours: readonly Rule[]): number[] {
  const ends = hours.flatMap(({ spans }) => spans.flatMap(({ from, to }) => [from, to % dayMinutes]))
  return [...new Set([0, ...ends])].toSorted((one, other) => one - other)
}
