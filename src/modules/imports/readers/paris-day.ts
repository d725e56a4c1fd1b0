import type ICAL from 'ical.js'
import { todayInParis } from '../../../platform/paris-time.ts'

/**
 * The day in Paris of a time: as it stands where it has no zone or is a day; else by the zone that the calendar
 * describes, or by the one of that name.
 */
export function dayInParis(time: ICAL.Time, tzid: string | undefined): string {
  const asItStands = `${String(time.year).padStart(4, '0')}-${two(time.month)}-${two(time.day)}`
  if (time.isDate) return asItStands
  if (time.zone !== null && time.zone.tzid !== 'floating') return todayInParis(time.toJSDate())
  const zone = tzid === undefined ? null : zoneOf(tzid)
  if (zone === null || tzid === 'Europe/Paris') return asItStands
  const { year, month, day, hour, minute, second } = time
  return todayInParis(momentOf(Date.UTC(year, month - 1, day, hour, minute, second), zone))
}

const two = (number: number) => String(number).padStart(2, '0')

/** The moment at which clocks of a zone show this. Where they are put back, one of the two. */
function momentOf(shown: number, zone: Intl.DateTimeFormat): Date {
  const first = shown - offsetAt(shown, zone)
  return new Date(shown - offsetAt(first, zone))
}

function offsetAt(time: number, zone: Intl.DateTimeFormat): number {
  const parts = Object.fromEntries(zone.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - time
}

const zones = new Map<string, Intl.DateTimeFormat | null>()

/** Null where nobody knows it. Few names: more are not kept. */
function zoneOf(tzid: string): Intl.DateTimeFormat | null {
  const known = zones.get(tzid)
  if (known !== undefined) return known
  const made = makeZone(tzid)
  if (zones.size < 1_000) zones.set(tzid, made)
  return made
}

function makeZone(timeZone: string): Intl.DateTimeFormat | null {
  const number = 'numeric'
  const fields = {
    year: number,
    month: number,
    day: number,
    hour: number,
    minute: number,
    second: number,
  } as const
  try {
    return new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', ...fields })
  } catch {
    return null
  }
}
