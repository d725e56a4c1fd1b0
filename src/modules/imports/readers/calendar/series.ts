import {
  type Budget,
  dayMs,
  daysIn,
  expand,
  RuleRefused,
  readRule,
} from '../../../../platform/time/recurrence.ts'
import { type Component, type Property, propertiesOf, propertyOf, textOf } from './lines.ts'
import { inParis, paris, parisDay, utc, type WallTime, wallOf, type Zone, type Zones } from './zones.ts'

/** Limit of occurrences per event within the window. */
const maxOccurrences = 500
/** Limit of overrides that change all later occurrences. */
const maxChanges = 100

/** An event with its parsed properties. */
type Event = {
  component: Component
  start: WallTime
  end: WallTime | null
  recurrenceId: WallTime | null
  /** Name of its time zone if it is unknown; its times are then read as Paris time. */
  unknownZone: string | null
}

/** The versions of one event: the master, and the overrides of its occurrences. */
export type Series = { master: Event | null; overrides: Event[]; zones: Zones }

/** An occurrence. Its time in the series identifies it; null for an event that does not repeat. */
export type Occurrence = Pick<Event, 'component' | 'start' | 'end'> & {
  inSeries: WallTime | null
  note: string | null
}

/** Groups the components of one UID. Of two versions, keeps the higher SEQUENCE, else the later one. */
export function seriesOf(components: Component[], zones: Zones): { series: Series; unread: number } {
  const read = components.map((component) => eventOf(component, zones))
  const events = read.filter((event) => event !== null)
  if (events.length === 0) throw new RuleRefused('it cannot be read as an event')
  const masters = events.filter(({ recurrenceId }) => recurrenceId === null)
  const overrides = new Map<string, Event[]>()
  for (const event of events) {
    if (event.recurrenceId === null) continue
    const key = `${event.recurrenceId.wall} ${isForFuture(event)}`
    overrides.set(key, [...(overrides.get(key) ?? []), event])
  }
  const series = {
    master: newestOf(masters),
    overrides: [...overrides.values()].flatMap((versions) => newestOf(versions) ?? []),
    zones,
  }
  return { series, unread: read.length - events.length }
}

function newestOf(versions: Event[]): Event | null {
  const sequenceOf = ({ component }: Event) => Number(textOf(component, 'SEQUENCE')) || 0
  return versions.reduce<Event | null>(
    (best, event) => (best === null || sequenceOf(event) >= sequenceOf(best) ? event : best),
    null,
  )
}

function eventOf(component: Component, zones: Zones): Event | null {
  const begins = propertyOf(component, 'DTSTART')
  if (begins === undefined) return null
  const start = writtenOf(begins, begins.value, { zones, floating: paris })
  if (start === null) return null
  const read = (name: string) => {
    const property = propertyOf(component, name)
    return property === undefined
      ? null
      : writtenOf(property, property.value, { zones, floating: start.zone })
  }
  const isNamed = propertyOf(component, 'RECURRENCE-ID') !== undefined
  const recurrenceId = read('RECURRENCE-ID')
  if (isNamed && recurrenceId === null) return null
  const zone = begins.parameters.get('TZID')
  const isUnknown = zone !== undefined && !start.isDate && !start.isUtc && zones.zone(zone) === null
  return {
    component,
    start,
    end: read('DTEND') ?? endAfter(start, textOf(component, 'DURATION')),
    recurrenceId,
    unknownZone: isUnknown ? zone.slice(0, 100) : null,
  }
}

/** Parses a time of a property in its zone; a time without a zone is in `floating`. */
function writtenOf(
  { parameters }: Property,
  text: string,
  { zones, floating }: { zones: Zones; floating: Zone },
): WallTime | null {
  const time = wallOf(text)
  if (time === null) return null
  const name = parameters.get('TZID')
  const zone = time.isUtc ? utc : ((name === undefined ? null : zones.zone(name)) ?? floating)
  const isDay = parameters.get('VALUE')?.toUpperCase() === 'DATE'
  return isDay ? { wall: daysIn(time.wall) * dayMs, isDate: true, isUtc: false, zone } : { ...time, zone }
}

/** Adds a duration such as `P1DT2H` to the start. */
function endAfter(start: WallTime, duration: string | null): WallTime | null {
  const length = lengthOf(duration)
  return length === null ? null : { ...start, wall: start.wall + length }
}

function lengthOf(duration: string | null): number | null {
  const found =
    /^\s*\+?P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?)?\s*$/i.exec(
      duration ?? '',
    )
  if (!found) return null
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0))
  return (weeks * 7 + days) * dayMs + ((hours * 60 + minutes) * 60 + seconds) * 1_000
}

/** Today and the last day on which an occurrence may begin, as Paris midnights. */
type Window = { today: number; last: number; budget: Budget }

/**
 * Yields the occurrences of a series: those in the window, or all if the event does not repeat. Includes an
 * override even if the rule has no such occurrence.
 */
export function* occurrencesOf(series: Series, window: Window): Generator<Occurrence> {
  const { master, overrides } = series
  if (master === null) {
    for (const one of overrides)
      yield { ...one, inSeries: one.recurrenceId ?? one.start, note: zoneNote(one) }
    return
  }
  const rules = rulesOf(master)
  const added = addedTo(master, series.zones)
  if (rules.length === 0 && added.length === 0) {
    yield* single(master, overrides)
    return
  }
  yield* repeated(series, master, { window, rules, added })
}

/** Yields an event that does not repeat. An override with its start time replaces it. */
function* single(master: Event, overrides: Event[]): Generator<Occurrence> {
  const isOfMaster = ({ recurrenceId }: Event) => recurrenceId !== null && isSame(recurrenceId, master.start)
  const newer = overrides.find(isOfMaster) ?? master
  yield { ...newer, inSeries: null, note: zoneNote(newer) }
  for (const one of overrides)
    if (!isOfMaster(one)) yield { ...one, inSeries: one.recurrenceId ?? one.start, note: zoneNote(one) }
}

type Repetition = { window: Window; rules: Property[]; added: Added[] }

function* repeated(
  { zones, overrides }: Series,
  master: Event,
  { window, rules, added }: Repetition,
): Generator<Occurrence> {
  const excluded = excludedFrom(master, zones)
  const replaced = overrides.filter((one) => !isForFuture(one))
  const changes = overrides
    .filter(isForFuture)
    .sort(
      (one, other) =>
        wallIn(master, one.recurrenceId ?? one.start) - wallIn(master, other.recurrenceId ?? other.start),
    )
  const taken = timesIn(
    master,
    replaced.flatMap(({ recurrenceId }) => recurrenceId ?? []),
  )
  const length = lengthIn(master)
  if (changes.length > maxChanges) throw new RuleRefused('it changes too often')
  const shift = Math.max(0, ...changes.map((change) => Math.abs(shiftOf(master, change))))
  const from = window.today - length - shift - 2 * dayMs
  const to = window.last + shift + 2 * dayMs
  /** Times of replaced occurrences, by day. */
  const replacedOn = new Map<number, WallTime>()
  const found: Occurrence[] = []
  const add = (occurrence: Occurrence) => {
    if (!isWithin(occurrence, window)) return
    found.push(occurrence)
    if (found.length > maxOccurrences) throw new RuleRefused('it repeats too often')
  }
  const times = timesOf(master, { rules, added, from, to, budget: window.budget })
  const missed = missedDays(excluded, times)
  for (const { wall, end } of times) {
    const own = { ...master.start, wall }
    if (has(excluded, wall)) continue
    if (has(taken, wall)) {
      replacedOn.set(daysIn(wall), own)
      continue
    }
    const change = changes.findLast((one) => wallIn(master, one.recurrenceId ?? one.start) <= wall)
    if (change === undefined) {
      const ends = end ?? (master.end === null ? null : { ...own, wall: wall + length })
      add({
        component: master.component,
        start: own,
        end: ends,
        inSeries: own,
        note: missed.has(daysIn(wall)) ? missedNote : zoneNote(master),
      })
    } else {
      const start = { ...own, wall: wall + shiftOf(master, change), isDate: change.start.isDate }
      const ends = change.end === null ? null : { ...start, wall: start.wall + lengthIn(change) }
      add({ component: change.component, start, end: ends, inSeries: own, note: zoneNote(change) })
    }
  }
  for (const one of replaced) {
    const { recurrenceId } = one
    if (recurrenceId === null || isExcluded(one, master, excluded)) continue
    const wall = wallIn(master, recurrenceId)
    const ofDay = isWholeDay(master, wall, recurrenceId) ? replacedOn.get(daysIn(wall)) : undefined
    add({ ...one, inSeries: ofDay ?? { ...master.start, wall }, note: zoneNote(one) })
  }
  yield* found.sort((one, other) => inParis(one.start) - inParis(other.start))
}

/** Returns the days of EXDATEs that match no time of the series: another time of that day may be meant. */
function missedDays({ walls }: Times, times: Added[]): Set<number> {
  const known = new Set(times.map(({ wall }) => wall))
  return new Set([...walls].filter((wall) => !known.has(wall)).map(daysIn))
}

const missedNote = 'an exception names another time on this day'

/** True if an EXDATE excludes the start of the override. An override moved to another time takes place. */
function isExcluded({ start }: Event, master: Event, excluded: Times): boolean {
  return has(excluded, wallIn(master, start))
}

function isWithin({ start, end }: Occurrence, { today, last }: Window): boolean {
  const first = inParis(start)
  const over = end === null ? first : Math.max(first, inParis(end) - 1)
  return daysIn(first) * dayMs <= last && over >= today
}

const zoneNote = ({ unknownZone }: Event) =>
  unknownZone === null
    ? null
    : `its time zone is unknown, its times are taken as those of Paris: ${unknownZone}`

/** True if it changes all later occurrences too. */
const isForFuture = ({ component }: Event) =>
  /^THISANDFUTURE$/i.test(propertyOf(component, 'RECURRENCE-ID')?.parameters.get('RANGE') ?? '')

const shiftOf = (master: Event, change: Event) =>
  wallIn(master, change.start) - wallIn(master, change.recurrenceId ?? change.start)

/** Returns the duration of an event in the zone of its start. */
function lengthIn({ start, end }: Event): number {
  if (end === null) return 0
  const wall =
    end.zone === start.zone || end.isDate ? end.wall : start.zone.wallAt(end.zone.momentOf(end.wall))
  return Math.max(0, wall - start.wall)
}

/** Converts a time to the wall clock of the event; to a day if the event is date-only. */
function wallIn({ start }: Event, time: WallTime): number {
  if (start.isDate) {
    if (time.isDate) return time.wall
    return time.isUtc ? parisDay(time.wall) : daysIn(time.wall) * dayMs
  }
  if (time.isDate || time.zone === start.zone) return time.wall
  return start.zone.wallAt(time.zone.momentOf(time.wall))
}

function isSame(one: WallTime, other: WallTime): boolean {
  if (one.isDate || other.isDate) return daysIn(one.wall) === daysIn(other.wall)
  return one.zone.momentOf(one.wall) === other.zone.momentOf(other.wall)
}

/** Wall-clock times of an event, and days on which every time matches. */
type Times = { walls: Set<number>; days: Set<number> }

function timesIn(master: Event, times: WallTime[]): Times {
  const walls = new Set<number>()
  const days = new Set<number>()
  for (const time of times) {
    const wall = wallIn(master, time)
    if (isWholeDay(master, wall, time)) days.add(daysIn(wall))
    else walls.add(wall)
  }
  return { walls, days }
}

const has = ({ walls, days }: Times, wall: number) => walls.has(wall) || days.has(daysIn(wall))

/** True for a whole day although the event has times. Exchange writes such a day as midnight. */
const isWholeDay = ({ start }: Event, wall: number, { isDate, isUtc }: WallTime) =>
  !start.isDate && (isDate || (!isUtc && wall % dayMs === 0 && start.wall % dayMs !== 0))

function excludedFrom(master: Event, zones: Zones): Times {
  const times = propertiesOf(master.component, 'EXDATE').flatMap((property) =>
    property.value
      .split(',')
      .flatMap((text) => writtenOf(property, text, { zones, floating: master.start.zone }) ?? []),
  )
  return timesIn(master, times)
}

/** Returns the rules; ignores empty ones. */
const rulesOf = ({ component }: Event, name = 'RRULE') =>
  propertiesOf(component, name).filter(({ value }) => value.trim() !== '')

/** A time added by RDATE; for a period, also its end. */
type Added = { wall: number; end: WallTime | null }

function addedTo(master: Event, zones: Zones): Added[] {
  const { start } = master
  return propertiesOf(master.component, 'RDATE').flatMap((property) =>
    property.value.split(',').flatMap((text) => {
      const [begins = '', ends] = text.split('/')
      const from = writtenOf(property, begins, { zones, floating: start.zone })
      if (from === null) return []
      const end =
        ends === undefined
          ? null
          : (writtenOf(property, ends, { zones, floating: start.zone }) ?? endAfter(from, ends))
      return [{ wall: wallIn(master, from), end }]
    }),
  )
}

type Expansion = { rules: Property[]; added: Added[]; from: number; to: number; budget: Budget }

/** Returns the distinct times of a series in order. Without a rule, they begin with its start. */
function timesOf(master: Event, { rules, added, from, to, budget }: Expansion): Added[] {
  const { start } = master
  // Window and series may be in different zones: allow one more day on either side.
  const expandAll = (texts: Property[]) =>
    texts.flatMap(({ value }) => {
      const rule = readRule(value, start, (until) => untilOf(until, master))
      return [...expand(rule, start, { from: from - dayMs, to: to + dayMs, budget })]
    })
  const removed = new Set(expandAll(rulesOf(master, 'EXRULE')))
  const ruled = rules.length === 0 ? [start.wall] : expandAll(rules)
  const times = new Map<number, Added>()
  for (const wall of ruled) if (!removed.has(wall)) times.set(wall, { wall, end: null })
  for (const one of added) times.set(one.wall, one)
  return [...times.values()].sort((one, other) => one.wall - other.wall)
}

/** Converts UNTIL to the wall clock of the event; a day means the end of that day. */
function untilOf(text: string, master: Event): number {
  const time = wallOf(text)
  if (time === null) throw new RuleRefused(`its rule cannot be read: UNTIL=${text.slice(0, 40)}`)
  const wall = wallIn(master, { ...time, zone: time.isUtc ? utc : master.start.zone })
  return time.isDate || master.start.isDate ? wall + dayMs - 1 : wall
}
