import {
  type Budget,
  dayMs,
  daysIn,
  expand,
  RuleRefused,
  readRule,
  TooManySteps,
} from '../../../../platform/time/recurrence.ts'
import { type Component, propertiesOf, propertyOf, type ZoneText } from './lines.ts'

/**
 * Converts between wall-clock times and moments. A wall-clock time is what the clock shows, in milliseconds
 * as if it were UTC; a zone gives the UTC offset.
 */
export type Zone = { momentOf: (wall: number) => number; wallAt: (moment: number) => number }
/** A time as written in a calendar, with its zone. */
export type WallTime = { wall: number; isDate: boolean; zone: Zone; isUtc: boolean }

export const utc: Zone = { momentOf: (wall) => wall, wallAt: (moment) => moment }
const paris = namedZone('Europe/Paris') ?? utc

export type Zones = { zone: (name: string) => Zone | null }

/** Finds zones by IANA name, else by Microsoft name, else by the calendar's own VTIMEZONE. */
export function createZones(described: ZoneText[], budget: Budget): Zones {
  const known = new Map<string, Zone | null>()
  const find = (name: string): Zone | null => {
    const iana = /[A-Za-z_]+\/[A-Za-z_+-]+$/.exec(name)?.[0]
    const own = described.find((zone) => zone.name === name)
    return (
      namedZone(name) ??
      (iana === undefined ? null : namedZone(iana)) ??
      namedZone(microsoftZones[name] ?? '') ??
      (own === undefined ? null : describedZone(own, budget))
    )
  }
  return {
    zone(name) {
      const found = known.get(name)
      if (found !== undefined) return found
      const zone = find(name)
      if (known.size < 1_000) known.set(name, zone)
      return zone
    },
  }
}

/** Microsoft names of zones found in calendars of France and its neighbours. */
const microsoftZones: Record<string, string> = {
  'Romance Standard Time': 'Europe/Paris',
  'W. Europe Standard Time': 'Europe/Berlin',
  'Central Europe Standard Time': 'Europe/Budapest',
  'Central European Standard Time': 'Europe/Warsaw',
  'GMT Standard Time': 'Europe/London',
  'Greenwich Standard Time': 'Atlantic/Reykjavik',
  'SA Western Standard Time': 'America/Martinique',
  'SA Eastern Standard Time': 'America/Cayenne',
  'Mauritius Standard Time': 'Indian/Reunion',
  'E. Africa Standard Time': 'Indian/Mayotte',
  'Central Pacific Standard Time': 'Pacific/Noumea',
}

/**
 * Builds a zone from its UTC offsets. A time that occurs twice means the earlier moment; a skipped one, the
 * later.
 */
function zoneBy(offsetAt: (moment: number) => number): Zone {
  return {
    wallAt: (moment) => moment + offsetAt(moment),
    momentOf(wall) {
      const before = offsetAt(wall - dayMs)
      const after = offsetAt(wall + dayMs)
      if (wall - before + offsetAt(wall - before) === wall) return wall - before
      return wall - after + offsetAt(wall - after) === wall ? wall - after : wall - before
    },
  }
}

function namedZone(timeZone: string): Zone | null {
  const format = formatOf(timeZone)
  if (format === null) return null
  const offsets = new Map<number, number>()
  const number = (parts: Intl.DateTimeFormatPart[], type: string) =>
    Number(parts.find((part) => part.type === type)?.value)
  return zoneBy((moment) => {
    // Offsets change only on quarter hours.
    const quarter = Math.floor(moment / 900_000) * 900_000
    const known = offsets.get(quarter)
    if (known !== undefined) return known
    const parts = format.formatToParts(quarter)
    const [year = 0, month = 1, ...others] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map(
      (type) => number(parts, type),
    )
    const offset = Date.UTC(year, month - 1, ...others) - quarter
    if (offsets.size < 5_000) offsets.set(quarter, offset)
    return offset
  })
}

function formatOf(timeZone: string): Intl.DateTimeFormat | null {
  const numeric = 'numeric'
  const fields = {
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  } as const
  try {
    return timeZone === '' ? null : new Intl.DateTimeFormat('en', { timeZone, hourCycle: 'h23', ...fields })
  } catch {
    return null
  }
}

/** The moment at which a zone changes to an offset. */
type Change = { moment: number; offset: number }

const maxObservances = 200

/** Builds a zone from the observances of a VTIMEZONE, 1970 to 2100; null if they cannot be read. */
function describedZone({ observances }: ZoneText, budget: Budget): Zone | null {
  if (observances.length > maxObservances) return null
  const changes = observances
    .flatMap((observance) => changesOf(observance, budget))
    .sort((one, other) => one.moment - other.moment)
  const [first] = changes
  if (first === undefined || budget.steps < 0) return null
  return zoneBy((moment) => (changes.findLast((change) => change.moment <= moment) ?? first).offset)
}

function changesOf(observance: Component, budget: Budget): Change[] {
  const offset = offsetOf(observance, 'TZOFFSETTO')
  const before = offsetOf(observance, 'TZOFFSETFROM')
  const start = wallOf(propertyOf(observance, 'DTSTART')?.value ?? '')
  if (offset === null || before === null || start === null) return []
  const rules = propertiesOf(observance, 'RRULE').filter(({ value }) => value.trim() !== '')
  const walls = [start.wall, ...rules.flatMap(({ value }) => onsetsOf(value, { start, before, budget }))]
  return walls.map((wall) => ({ moment: wall - before, offset }))
}

type Onset = { start: WrittenTime; before: number; budget: Budget }

function onsetsOf(text: string, { start, before, budget }: Onset): number[] {
  const from = Math.max(start.wall, Date.UTC(1970, 0, 1))
  try {
    const rule = readRule(text, start, (until) => {
      const time = wallOf(until)
      if (time === null) throw new RuleRefused('UNTIL')
      return time.isUtc ? time.wall + before : time.wall
    })
    return [...expand(rule, start, { from, to: Date.UTC(2100, 0, 1), budget })]
  } catch (error) {
    if (error instanceof RuleRefused || error instanceof TooManySteps) return []
    throw error
  }
}

function offsetOf(observance: Component, name: string): number | null {
  const [, sign, hours, minutes, seconds = 0] =
    /^\s*([+-])(\d{2}):?(\d{2}):?(\d{2})?\s*$/.exec(propertyOf(observance, name)?.value ?? '') ?? []
  if (sign === undefined) return null
  const offset = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
  return sign === '-' ? -offset : offset
}

export type WrittenTime = { wall: number; isDate: boolean; isUtc: boolean }

/** Parses `20261201`, `20261201T203000` or `20261201T203000Z`, also with `-` and `:`; null if invalid. */
export function wallOf(text: string): WrittenTime | null {
  const found = /^\s*(\d{4})-?(\d{2})-?(\d{2})(?:T(\d{2}):?(\d{2}):?(\d{2})?(Z)?)?\s*$/i.exec(text)
  if (!found) return null
  const [, year, month, day, hour, minute = 0, second = 0, z] = found
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day))
  const date = new Date(midnight)
  const isReal =
    date.getUTCFullYear() === Number(year) &&
    date.getUTCMonth() + 1 === Number(month) &&
    date.getUTCDate() === Number(day)
  if (!isReal || Number(hour ?? 0) > 24 || Number(minute) > 59 || Number(second) > 60) return null
  const time = ((Number(hour ?? 0) * 60 + Number(minute)) * 60 + Math.min(Number(second), 59)) * 1_000
  return { wall: midnight + time, isDate: hour === undefined, isUtc: z !== undefined }
}

/** Converts a time to wall-clock time in Paris; keeps the day if date-only. */
export const inParis = ({ wall, isDate, zone }: WallTime): number =>
  isDate || zone === paris ? wall : paris.wallAt(zone.momentOf(wall))

/** Returns the wall-clock midnight of the Paris day of a moment. */
export const parisDay = (moment: number): number => daysIn(paris.wallAt(moment)) * dayMs

export { paris }
