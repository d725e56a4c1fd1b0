import { parseAbsolute, parseDateTime, toCalendarDateTime, toZoned } from '@internationalized/date'

/** Time zone of all date and time fields. */
export const zone = 'Europe/Paris'

/** Parses the value of a date and time field; null if it is invalid. */
export function momentOf(typed: string): Date | null {
  try {
    return toZoned(parseDateTime(typed), zone).toDate()
  } catch {
    return null
  }
}

/** Formats a time as the value of a date and time field; empty for null. */
export const typedOf = (at: string | null): string =>
  at === null ? '' : toCalendarDateTime(parseAbsolute(at, zone)).toString().slice(0, 16)

/** Returns a time on this day, noon in UTC, which is the same day in Paris. */
export const noonOf = (day: string) => new Date(`${day}T12:00:00Z`)

/** Returns the day of a time in Paris, as YYYY-MM-DD. */
export const dayInParis = (at: Date) => new Intl.DateTimeFormat('sv', { timeZone: zone }).format(at)

/** Writes the first day of a month as French does, "1er"; `Intl` writes "1". Other languages stay as they are. */
export const withFirst = (day: string): string => day.replace(frenchFirst, '$11er$2')

const frenchFirst =
  /(^|\s)1(\s(?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)\b)/gu
