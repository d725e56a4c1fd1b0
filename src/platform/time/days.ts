/** True if a text is a day of the calendar from year 1 to 9999, as in 2026-11-20. */
export function isRealDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d\d-\d\d$/.test(text)) return false
  const time = new Date(`${text}T00:00:00Z`)
  // February 30th parses as March 2nd: only a day that round-trips is real.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
}

/** Returns how many days a day comes after another. */
export const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000
