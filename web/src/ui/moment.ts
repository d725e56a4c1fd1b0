import { parseAbsolute, parseDateTime, toCalendarDateTime, toZoned } from '@internationalized/date'

/** Fields for a date and a time show and take those of clocks in Paris. */
export const zone = 'Europe/Paris'

/** The moment that is typed; null if it is none. */
export function momentOf(typed: string): Date | null {
  try {
    return toZoned(parseDateTime(typed), zone).toDate()
  } catch {
    return null
  }
}

/** A moment as a field takes it; nothing for none. */
export const typedOf = (at: string | null): string =>
  at === null ? '' : toCalendarDateTime(parseAbsolute(at, zone)).toString().slice(0, 16)
