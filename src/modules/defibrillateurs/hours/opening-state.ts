import { calendarDays, clockOf } from './open-now.ts'
import { isOpenAt, type OpeningHours, type Rule } from './opening-hours.ts'

/** Whether something is open, and when that changes: minutes after midnight of a day. */
export type OpeningState = {
  isOpen: boolean
  /** Today is a public holiday. */
  isHoliday: boolean
  today: string
  change: { date: string; minute: number } | null
}

const dayMinutes = 1_440
const dayMs = 86_400_000
/** Longer than the days off that follow each other. */
const maxDays = 14

/** Offices are closed on public holidays, unless their hours name these. */
export function withHolidaysOff(hours: OpeningHours): OpeningHours {
  if (hours === 'always' || hours.some(({ holidays }) => holidays)) return hours
  return [...hours, { days: new Set<number>(), holidays: true, spans: [], adds: false }]
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
  return {
    isOpen,
    isHoliday: calendarDays(clock.today, departement).every(({ isHoliday }) => isHoliday),
    today: dateOf(clock.today),
    change: findChange(),
  }

  function findChange(): OpeningState['change'] {
    const minutes = hours === 'always' ? [] : boundariesOf(hours)
    for (let day = 0; day <= maxDays; day++)
      for (const minute of minutes) {
        if (day === 0 && minute <= clock.minute) continue
        const next = isOpenOn(day, minute)
        if (next === null) return null
        if (next !== isOpen) return { date: dateOf(new Date(clock.today.getTime() + day * dayMs)), minute }
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
