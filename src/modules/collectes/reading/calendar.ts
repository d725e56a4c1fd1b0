import { fold } from '../../../platform/formats/text.ts'
import { dayMs, RuleRefused, TooManySteps } from '../../../platform/time/recurrence.ts'
import { JOURS } from '../../communes/calendar.ts'
import {
  type Component,
  propertiesOf,
  propertyOf,
  readComponents,
  textOf,
} from '../../imports/readers/calendar/lines.ts'
import { occurrencesOf, seriesOf } from '../../imports/readers/calendar/series.ts'
import { createZones, inParis, wallOf, type Zones } from '../../imports/readers/calendar/zones.ts'
import { ReadFailed } from '../../imports/readers/read-failed.ts'
import { kindOfName } from './cells.ts'
import type { ReadRow } from './row.ts'

/** Limits of days tested: for one event, and for a whole calendar. */
const maxSteps = 100_000
const maxStepsInAll = 5_000_000
/** Series that no weekday tells are read as the dates of two years. */
const windowDays = 730

type Weekly = { jours: string[]; toutes_les_semaines: number; a_partir_du: string }
type Schedule = { weekly: Weekly | null; dates: string[] }

/** Yields a collection for each name of events: weekdays where one rule says no more than that, else dates. */
export function* readCalendar(text: string, today: string): Generator<ReadRow> {
  const calendar = readComponents(text)
  if (calendar.isCancelled) throw new ReadFailed('It calls its events off.')
  const budget = { steps: maxStepsInAll }
  const zones = createZones(calendar.zones, { steps: maxStepsInAll })
  const named = new Map<string, Component[][]>()
  for (const components of Map.groupBy(calendar.events, uidOf).values()) {
    const key = fold(nameOf(components))
    named.set(key, [...(named.get(key) ?? []), components])
  }
  let row = 0
  for (const events of named.values()) {
    row += 1
    const of = { row, code_insee: null, commune: null }
    const name = nameOf(events[0] ?? [])
    try {
      const rules = events.filter((components) => weeklyOf(components) !== null)
      const read = events.map((components) =>
        scheduleOf(components, { zones, today, budget, isDated: rules.length > 1 }),
      )
      yield { ...of, collecte: collecteOf(name, consignesOf(events), read), problems: [] }
    } catch (error) {
      if (!(error instanceof RuleRefused || error instanceof TooManySteps)) throw error
      yield { ...of, commune: name, collecte: null, problems: [{ field: 'dates', code: 'unreadable_event' }] }
    }
  }
}

const uidOf = (event: Component, index: number) => textOf(event, 'UID')?.trim() || `without ${index}`
const nameOf = (components: Component[]) =>
  components.map((event) => textOf(event, 'SUMMARY')?.replaceAll(/\s+/g, ' ').trim()).find(Boolean) ??
  'Collecte'

const consignesOf = (events: Component[][]) =>
  events
    .flat()
    .map((event) => textOf(event, 'DESCRIPTION')?.trim().slice(0, 2_000))
    .find(Boolean) ?? null

function collecteOf(libelle: string, consignes: string | null, read: Schedule[]): Record<string, unknown> {
  const weekly = read.find((one) => one.weekly !== null)?.weekly
  return {
    ...{
      type_dechet: kindOfName(libelle),
      libelle,
      mode: 'porte_a_porte',
      secteur: null,
      rang: null,
      exceptions: [],
    },
    ...(weekly ?? { jours: [], toutes_les_semaines: 1, a_partir_du: null }),
    dates: [...new Set(read.flatMap(({ dates }) => dates))].sort(),
    consignes,
  }
}

type Reading = { zones: Zones; today: string; budget: { steps: number }; isDated: boolean }

function scheduleOf(components: Component[], { zones, today, budget, isDated }: Reading): Schedule {
  const weekly = isDated ? null : weeklyOf(components)
  if (weekly !== null) return { weekly, dates: [] }
  if (budget.steps <= 0) throw new TooManySteps()
  const own = { steps: Math.min(maxSteps, budget.steps) }
  const given = own.steps
  const from = Date.parse(today)
  const { series } = seriesOf(components, zones)
  const called = components.length === 1 && isCalledOff(components[0])
  const occurrences = called
    ? []
    : occurrencesOf(series, { today: from, last: from + windowDays * dayMs, budget: own })
  const days = [...occurrences]
    .filter(({ component }) => !isCalledOff(component))
    .map(({ start }) => new Date(inParis(start)).toISOString().slice(0, 10))
  budget.steps -= given - own.steps
  return { weekly: null, dates: days.filter((day) => day >= today) }
}

const isCalledOff = (event: Component | undefined) =>
  event !== undefined && textOf(event, 'STATUS')?.trim().toUpperCase() === 'CANCELLED'

/** Returns the weekdays of an event that repeats every so many weeks without an end, an exception or a change; else null. */
function weeklyOf([event, ...others]: Component[]): Weekly | null {
  if (event === undefined || others.length > 0 || isCalledOff(event)) return null
  const rules = propertiesOf(event, 'RRULE').filter(({ value }) => value.trim() !== '')
  const begins = propertyOf(event, 'DTSTART')
  const start = begins && wallOf(begins.value)
  const isAltered = ['EXDATE', 'RDATE', 'EXRULE', 'RECURRENCE-ID'].some((name) => propertyOf(event, name))
  // A moment of Greenwich may be another day in Paris.
  if (rules.length !== 1 || isAltered || !start || start.isUtc) return null
  const parts = (rules[0]?.value ?? '').toUpperCase().replaceAll(/\s/g, '').replace(/;$/, '').split(';')
  const rule = new Map(parts.map((part) => part.split('=', 2) as [string, string]))
  const isPlain = [...rule].every(
    ([name, value]) => ['FREQ', 'INTERVAL', 'BYDAY'].includes(name) || (name === 'WKST' && value === 'MO'),
  )
  const every = Number(rule.get('INTERVAL') ?? 1)
  const days = rule.get('BYDAY')?.split(',') ?? [weekdays[new Date(start.wall).getUTCDay()] ?? '']
  const isWeekly =
    rule.get('FREQ') === 'WEEKLY' && every >= 1 && every <= 52 && days.every((day) => weekdays.includes(day))
  if (!isPlain || !isWeekly) return null
  return {
    jours: JOURS.filter((_, index) => days.includes(weekdays[(index + 1) % 7] ?? '')),
    toutes_les_semaines: every,
    a_partir_du: new Date(start.wall).toISOString().slice(0, 10),
  }
}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
