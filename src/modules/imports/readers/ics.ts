import { hash } from 'node:crypto'
import ICAL from 'ical.js'
import { asHtml, type FoundItem } from './item.ts'
import { dayInParis } from './paris-day.ts'
import { ReadFailed } from './read-failed.ts'

/** Of an event that repeats, the occurrences that are not over and begin within so many days. */
const windowDays = 90
/** Since its first occurrence; and of all events together. */
const mostSteps = 50_000
const mostStepsInAll = 1_000_000

/** Events, each read by itself: one that is broken spoils no other. */
export function* readCalendar(text: string, now: Date): Generator<FoundItem> {
  const { events, zones, isCancelled } = split(text)
  const read = new Map<string, { master: ICAL.Event | null; exceptions: ICAL.Event[] }>()
  for (const block of events) {
    const event = parse(block, zones)
    if (event === null) {
      yield { ...nothing, external_id: digestOf(block), flaw: 'it cannot be read as an event' }
      continue
    }
    const uid = event.uid || digestOf(block)
    const same = read.get(uid) ?? { master: null, exceptions: [] }
    if (event.isRecurrenceException()) same.exceptions.push(event)
    // Of two versions the later one, or the one further down.
    else if (same.master === null || sequenceOf(event) >= sequenceOf(same.master)) same.master = event
    read.set(uid, same)
  }
  const budget = { steps: mostStepsInAll }
  for (const [uid, { master, exceptions }] of read) {
    const withCare = guarded(uid, () => itemsOf(uid, master, exceptions, { now, budget }))
    for (const item of withCare) yield isCancelled ? { ...item, isCancelled } : item
  }
}

const nothing = { external_id: null, title: null, body: null }

/** The text of each event, and of the time zones that they name; lines that were folded are whole again. */
function split(text: string) {
  const lines = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\n[ \t]/g, '')
    .split('\n')
  const events: string[][] = []
  const zones: string[] = []
  let event: string[] | null = null
  let isZone = false
  let isCalendar = false
  let isCancelled = false
  for (const line of lines) {
    const sign = line.trim().toUpperCase()
    if (sign === 'BEGIN:VCALENDAR') isCalendar = true
    else if (sign === 'METHOD:CANCEL') isCancelled = true
    else if (sign === 'BEGIN:VEVENT') event = []
    else if (sign === 'END:VEVENT') {
      if (event !== null) events.push(event)
      event = null
    } else if (event !== null) event.push(line)
    else if (isZone || sign === 'BEGIN:VTIMEZONE') {
      zones.push(line)
      isZone = sign !== 'END:VTIMEZONE'
    }
  }
  if (!isCalendar) throw new ReadFailed('It cannot be read as iCalendar.')
  return { events, zones: zones.join('\n'), isCancelled }
}

function parse(lines: string[], zones: string): ICAL.Event | null {
  try {
    const body = lines.filter((line) => line !== '').map(asDate)
    const calendar = ['BEGIN:VCALENDAR', zones, 'BEGIN:VEVENT', ...body, 'END:VEVENT', 'END:VCALENDAR']
    const parsed = ICAL.parse(calendar.filter((line) => line !== '').join('\n'))
    const component = new ICAL.Component(parsed as unknown[]).getFirstSubcomponent('vevent')
    if (component === null) return null
    const event = new ICAL.Event(component)
    return event.startDate === null ? null : event
  } catch {
    return null
  }
}

/** Many write a day without saying that it is one. */
const asDate = (line: string) =>
  line.replace(
    /^(DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)(?:;TZID=[^:]*)?:(\d{8}(?:,\d{8})*)\s*$/i,
    '$1;VALUE=DATE:$2',
  )

const sequenceOf = (event: ICAL.Event) => Number(event.sequence) || 0

/** What the library cannot make sense of is wrong with the event. */
function* guarded(uid: string, items: () => Iterable<FoundItem>): Generator<FoundItem> {
  try {
    yield* items()
  } catch (error) {
    if (error instanceof ReadFailed) throw error
    yield { ...nothing, external_id: uid, flaw: 'its times cannot be read' }
  }
}

type Reckoning = { now: Date; budget: { steps: number } }

function* itemsOf(
  uid: string,
  master: ICAL.Event | null,
  exceptions: ICAL.Event[],
  reckoning: Reckoning,
): Generator<FoundItem> {
  // Occurrences of which the calendar has nothing else.
  if (master === null) {
    for (const one of exceptions) yield itemOf(`${uid} ${one.recurrenceId}`, one, one.startDate, one.endDate)
    return
  }
  if (!master.isRecurring()) {
    yield itemOf(uid, master, master.startDate, master.endDate)
    return
  }
  for (const one of exceptions) master.relateException(one)
  yield* occurrencesOf(uid, master, reckoning)
}

function* occurrencesOf(uid: string, master: ICAL.Event, { now, budget }: Reckoning): Generator<FoundItem> {
  if (Object.keys(master.getRecurrenceTypes()).some((kind) => /^(SECOND|MINUTE|HOUR)LY$/.test(kind))) {
    yield { ...nothing, external_id: uid, title: master.summary, flaw: 'it repeats more than once a day' }
    return
  }
  const today = dayInParis(ICAL.Time.fromJSDate(now, true), undefined)
  const end = dayInParis(
    ICAL.Time.fromJSDate(new Date(now.getTime() + windowDays * 86_400_000), true),
    undefined,
  )
  const occurrences = master.iterator()
  for (let steps = 0; steps < mostSteps; steps++) {
    if (budget.steps-- <= 0) throw new ReadFailed('Its events repeat too often to be reckoned.')
    const next = occurrences.next()
    // Exceptions may bring an occurrence forward, by less than another window.
    if (!next || next.year > Number(end.slice(0, 4)) + 1) return
    const { item, startDate, endDate, recurrenceId } = master.getOccurrenceDetails(next)
    const found = itemOf(`${uid} ${recurrenceId}`, item, startDate, endDate, tzidOf(master))
    if ((found.date_debut ?? '') > end) {
      if (dayInParis(next, tzidOf(master)) > end) return
      continue
    }
    if ((found.date_fin ?? found.date_debut ?? '') >= today) yield found
  }
}

const tzidOf = ({ component }: ICAL.Event) => component.getFirstProperty('dtstart')?.getFirstParameter('tzid')

function itemOf(
  external_id: string,
  event: ICAL.Event,
  start: ICAL.Time,
  end: ICAL.Time | null,
  tzid = tzidOf(event),
): FoundItem {
  const date_debut = dayInParis(start, tzid)
  const last = end === null ? date_debut : lastDay(end, start, tzid)
  return {
    external_id,
    title: event.summary,
    body: bodyOf(event),
    url: text(event, 'url'),
    image_url: imageOf(event),
    date_debut,
    // One day needs no end.
    date_fin: last > date_debut ? last : null,
    isCancelled: text(event, 'status')?.toUpperCase() === 'CANCELLED',
  }
}

/** The end is a moment that the event no longer has: at midnight it is over the day before. */
function lastDay(end: ICAL.Time, start: ICAL.Time, tzid: string | undefined): string {
  if (end.compare(start) <= 0) return dayInParis(start, tzid)
  const before = end.clone()
  if (before.isDate) before.adjust(-1, 0, 0, 0)
  else before.adjust(0, 0, 0, -1)
  return dayInParis(before, tzid)
}

/** Descriptions are plain, though some programs put HTML there; the place is told with them. */
function bodyOf(event: ICAL.Event): string | null {
  const { description, location } = event
  const isHtml = /<(?:p|br|a|b|i|ul|ol|div|span|strong|em)\b[^<>]*>/i.test(description ?? '')
  const told = description?.trim() ? (isHtml ? description : lines(description.trim())) : ''
  const place = location?.trim() ? `<p>Lieu : ${lines(location.trim())}</p>` : ''
  return told + place || null
}

const lines = (plain: string) => asHtml(plain).replaceAll(/\r?\n/g, '<br>')

function imageOf({ component }: ICAL.Event): string | null {
  const image = [...component.getAllProperties('image'), ...component.getAllProperties('attach')].find(
    (property) => property.name === 'image' || /^image\//i.test(property.getFirstParameter('fmttype') ?? ''),
  )
  return image === undefined ? null : String(image.getFirstValue())
}

function text({ component }: ICAL.Event, name: string): string | null {
  const value = component.getFirstPropertyValue(name)
  return value === null ? null : String(value)
}

const digestOf = (lines: string[]) => `sha256:${hash('sha256', lines.join('\n'), 'hex')}`
