/** True if a text is a day of the calendar from year 1 to 9999, as in 2026-11-20. */
export function isRealDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = new Date(`${text}T00:00:00Z`)
  // February 30th parses as March 2nd: only a day that round-trips is real.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
}

/** Returns how many days a day comes after another. */
export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs

/** Returns the day a number of days later; the last day of the year 9999 at most. */
export const daysLater = (day: string, days: number): string =>
  new Date(Math.min(lastDay, Date.parse(day) + days * dayMs)).toISOString().slice(0, 10)

const dayMs = 86_400_000
const lastDay = Date.UTC(9999, 11, 31)
