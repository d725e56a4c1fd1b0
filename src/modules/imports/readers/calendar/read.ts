import { hash } from 'node:crypto'
import { type Budget, dayMs, RuleRefused, TooManySteps } from '../../../../platform/time/recurrence.ts'
import { asHtml, type Earlier, type FoundItem, noDate } from '../item.ts'
import { ReadFailed } from '../read-failed.ts'
import { type Component, propertiesOf, propertyOf, readComponents, textOf } from './lines.ts'
import { type Occurrence, occurrencesOf, type Series, seriesOf } from './series.ts'
import { createZones, inParis, parisDay, type WallTime, type Zones } from './zones.ts'

/** Reads the occurrences of a series that have not ended and begin within this many days. */
const windowDays = 90
/** Limits of days and times tested: for one event, and for a whole calendar. */
const maxSteps = 100_000
const maxStepsInAll = 5_000_000

/** Reads the events of a calendar separately: a broken one does not affect the others. */
export function* readCalendar(text: string, now: Date): Generator<FoundItem> {
  const calendar = readComponents(text)
  const budget = { steps: maxStepsInAll }
  const zones = createZones(calendar.zones, { steps: maxStepsInAll })
  const groups = new Map<string, Component[]>()
  for (const event of calendar.events) {
    const uid = textOf(event, 'UID')?.trim() || digestOf(event)
    const group = groups.get(uid)
    if (group === undefined) groups.set(uid, [event])
    else group.push(event)
  }
  for (const [uid, components] of groups)
    for (const item of readEvent(uid, components, { zones, now, budget }))
      yield calendar.isCancelled ? { ...item, isCancelled: true } : item
}

type Reading = { zones: Zones; now: Date; budget: Budget }

const nothing = { external_id: null, title: null, body: null }

/** Yields the items of an event; reports an error as an item with a `flaw`. */
function* readEvent(uid: string, components: Component[], reading: Reading): Generator<FoundItem> {
  const title = components.map((component) => textOf(component, 'SUMMARY')).find((text) => text !== null)
  const flawed = (flaw: string) => ({ ...nothing, external_id: uid, title: title ?? null, flaw })
  const { budget } = reading
  if (budget.steps <= 0) throw new ReadFailed('Its events repeat too often.')
  const own = { steps: Math.min(maxSteps, budget.steps) }
  const given = own.steps
  try {
    const { series, unread } = seriesOf(components, reading.zones)
    if (unread > 0) yield { ...flawed('it cannot be read as an event'), external_id: `${uid} unreadable` }
    yield* itemsOf(uid, series, { ...reading, budget: own })
  } catch (error) {
    if (error instanceof RuleRefused) yield flawed(error.message)
    else if (error instanceof TooManySteps) yield flawed('it repeats too often')
    else throw error
  } finally {
    budget.steps -= given - own.steps
  }
}

function* itemsOf(uid: string, series: Series, { now, budget }: Reading): Generator<FoundItem> {
  const today = parisDay(now.getTime())
  const window = { today, last: today + windowDays * dayMs, budget }
  const occurrences = [...occurrencesOf(series, window)]
  const names = nameOccurrences(uid, occurrences)
  for (const [index, { component, start, end, note }] of occurrences.entries()) {
    const { external_id = uid, earlier } = names[index] ?? {}
    yield { ...itemOf(external_id, component, { start, end, note }), ...(earlier && { earlier }) }
  }
}

type When = { start: WallTime; end: WallTime | null; note: string | null }

function itemOf(external_id: string, event: Component, { start, end, note }: When): FoundItem {
  return {
    external_id,
    title: textOf(event, 'SUMMARY'),
    body: bodyOf(event),
    url: textOf(event, 'URL'),
    image_url: imageOf(event),
    ...placeOf(event),
    ...datesOf(start, end),
    undated: noDate,
    isCancelled: textOf(event, 'STATUS')?.trim().toUpperCase() === 'CANCELLED',
    ...(note !== null && { note }),
  }
}

/** The end is exclusive: an end at midnight means the day before. */
function datesOf(start: WallTime, end: WallTime | null) {
  const first = inParis(start)
  const last = end === null ? first : Math.max(first, inParis(end))
  const firstDay = dayOf(first)
  const lastDay = last > first ? dayOf(last - 1) : firstDay
  const isWhole = start.isDate || (firstDay === first && isMidnight(last))
  return {
    date_debut: iso(first).slice(0, 10),
    // A one-day event has no end date.
    date_fin: lastDay > firstDay ? iso(lastDay).slice(0, 10) : null,
    heure_debut: isWhole ? null : iso(first).slice(11, 16),
    heure_fin: isWhole || last === first ? null : iso(last).slice(11, 16),
  }
}

/** Includes 23:59, which some programs write for the end of a day. */
const isMidnight = (wall: number) => wall % dayMs === 0 || wall % dayMs >= dayMs - 60_000

const dayOf = (wall: number) => Math.floor(wall / dayMs) * dayMs
const iso = (wall: number) => new Date(wall).toISOString()

/** Returns the description: plain text, or HTML from some programs. */
function bodyOf(event: Component): string | null {
  const description = textOf(event, 'DESCRIPTION')?.trim() ?? ''
  const isHtml = /<(?:p|br|a|b|i|ul|ol|div|span|strong|em|table)\b[^<>]*>/i.test(description)
  return (isHtml ? description : asLines(description)) || null
}

/** Returns the place. Programs that know its address write it below its name. */
function placeOf(event: Component): Partial<FoundItem> {
  const [nom = '', ...address] = (textOf(event, 'LOCATION')?.trim() ?? '').split(/\r?\n/)
  const [latitude = null, longitude = null] = textOf(event, 'GEO')?.split(/[;,]/) ?? []
  return {
    'lieu.nom': nom,
    'lieu.adresse': address
      .map((line) => line.trim().replace(/,$/, ''))
      .filter(Boolean)
      .join(', '),
    'lieu.latitude': latitude,
    'lieu.longitude': longitude,
  }
}

const asLines = (plain: string) => asHtml(plain).replaceAll(/\r?\n/g, '<br>')

function imageOf(event: Component): string | null {
  const image =
    propertyOf(event, 'IMAGE') ??
    propertiesOf(event, 'ATTACH').find(({ parameters }) => /^image\//i.test(parameters.get('FMTTYPE') ?? ''))
  return image?.value.trim() ?? null
}

const digestOf = ({ lines }: Component) => `sha256:${hash('sha256', lines.join('\n'), 'hex')}`

type Name = { external_id: string; earlier: Earlier }

/**
 * Names the occurrences of an event. Calendars move hours more often than days, so a name is UID and day, with the
 * hour only where a day has several. An event that does not repeat has its UID as its name.
 */
function nameOccurrences(uid: string, occurrences: Pick<Occurrence, 'start' | 'inSeries'>[]): Name[] {
  const times = occurrences.map(({ start, inSeries }) => {
    const text = timeText(inSeries ?? start)
    return { isNamed: inSeries !== null, ofDay: `${uid} ${text.slice(0, 10)}`, withHour: `${uid} ${text}` }
  })
  const named = times.filter(({ isNamed }) => isNamed)
  const hours = Map.groupBy(named, ({ ofDay }) => ofDay)
  const names = times.map(({ isNamed, ofDay, withHour }) => {
    if (!isNamed) return uid
    const isAlone = (hours.get(ofDay) ?? []).every((other) => other.withHour === withHour)
    return isAlone ? ofDay : withHour
  })
  const inUse = Map.groupBy(names, (_, index) => times[index]?.ofDay)
  const bare = names.filter((name) => name === uid)
  return times.map(({ ofDay, withHour }, index) => ({
    external_id: names[index] ?? uid,
    earlier: { event: uid, ofDay: [ofDay, withHour], inUse: [...bare, ...(inUse.get(ofDay) ?? [])] },
  }))
}

function timeText({ wall, isDate, isUtc }: WallTime): string {
  const text = new Date(wall).toISOString()
  return isDate ? text.slice(0, 10) : `${text.slice(0, 19)}${isUtc ? 'Z' : ''}`
}
