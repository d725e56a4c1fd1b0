import { asFrenchWrites, dayInParis } from '../../../ui/moment.ts'

const dayMs = 86_400_000

const asDate = (day: string) => new Date(`${day}T00:00:00Z`)
const asDay = (date: Date) => date.toISOString().slice(0, 10)

export const todayInParis = () => dayInParis(new Date())

export const daysLater = (day: string, days: number) => asDay(new Date(asDate(day).getTime() + days * dayMs))

/** Returns the next day that is neither a Sunday nor a public holiday. */
export function workingDayAfter(day: string, holidays: ReadonlySet<string>): string {
  const next = daysLater(day, 1)
  return weekdayOf(next) === 6 || holidays.has(next) ? workingDayAfter(next, holidays) : next
}

/** Returns the same day of another month, or its last day. */
export function monthsLater(day: string, months: number): string {
  const date = asDate(day)
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1))
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return asDay(new Date(first.getTime() + (Math.min(date.getUTCDate(), last) - 1) * dayMs))
}

export const monthOf = (day: string) => day.slice(0, 7)

/** Monday is 0. */
export const weekdayOf = (day: string) => (asDate(day).getUTCDay() + 6) % 7

/** Returns the weeks of a month, Monday to Sunday, with days of the months around it. */
export function weeksOf(month: string): string[][] {
  const first = `${month}-01`
  const start = daysLater(first, -weekdayOf(first))
  const weeks: string[][] = []
  for (
    let monday = start;
    monday <= monthsLater(first, 1) && (weeks.length === 0 || monthOf(monday) === month);
  ) {
    weeks.push(Array.from({ length: 7 }, (_, n) => daysLater(monday, n)))
    monday = daysLater(monday, 7)
  }
  return weeks
}

/** Formats a day in words; every day is shown as it is written, in no time zone. */
export const dayInWords = (day: string, language: string, options: Intl.DateTimeFormatOptions) =>
  asFrenchWrites(new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(asDate(day)))
