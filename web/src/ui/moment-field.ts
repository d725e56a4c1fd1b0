import { parseAbsolute, parseDateTime, toCalendarDateTime, toZoned } from '@internationalized/date'
import { zone } from './moment.ts'

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
