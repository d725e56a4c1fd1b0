import { daysLater, isRealDay } from '../../platform/time/days.ts'
import { expand, type Rule, RuleRefused, readRule, TooManySteps } from '../../platform/time/recurrence.ts'

/**
 * The dates of an event that repeats: one publication, one moderation. `regle` is an RRULE in whole days whose first date is
 * `date_debut`; `exceptions` are left out, `ajouts` added. An occurrence without `reportee_au` is called off, which readers
 * see; with it, moved. The browser loads this file too.
 */
export type Recurrence = {
  regle: string
  exceptions: string[]
  ajouts: string[]
  occurrences: { date: string; reportee_au: string | null }[]
}

type Text = { fr: string; en: string }
type Problem = { field: string; message: Text }
export type Lang = keyof Text

/** A rule ends within two years, and a date is over before the next week. */
const maxMonths = 24
const maxDuration = 6
const maxSteps = 20_000

const wallOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
const dayOf = (wall: number) => new Date(wall).toISOString().slice(0, 10)

/** Returns the last day on which a series that begins on this day may have a date. */
export function lastAllowed(first: string): string {
  const date = new Date(wallOf(first))
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + maxMonths, date.getUTCDate()))
}

/** Thrown for a rule that no series may have. */
export class Refused extends Error {
  readonly problem: Text
  constructor(problem: Text) {
    super(problem.en)
    this.problem = problem
  }
}

/** Returns the day that a rule ends on; null for one with a number of dates. */
export function untilOf(regle: string): string | null {
  const [, year, month, day] = /UNTIL=(\d{4})(\d\d)(\d\d)(?:;|$)/.exec(regle) ?? []
  return day === undefined ? null : `${year}-${month}-${day}`
}

/** Splits a rule into its parts by name. Stricter than the reader of calendars, as a rule is shown to other programs. */
function partsOf(regle: string): Map<string, string> {
  const parts = regle.split(';').map((part) => form.exec(part))
  const byName = new Map(parts.flatMap((part) => (part === null ? [] : [[part[1] ?? '', part[2] ?? '']])))
  const isNumber = (name: string) => /^\d+$/.test(byName.get(name) ?? '1')
  if (byName.size < parts.length || !isNumber('COUNT') || !isNumber('INTERVAL'))
    throw new Refused(messages.unread)
  return byName
}
const form = /^([A-Z]+)=([A-Z\d+-]+(?:,[A-Z\d+-]+)*)$/

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']

/** Parses a rule; throws if it is no rule of whole days with an end. */
export function parseRule(regle: string, first: string): Rule {
  const parts = partsOf(regle)
  if (!frequencies.includes(parts.get('FREQ') ?? '')) throw new Refused(messages.freq)
  if (['BYHOUR', 'BYMINUTE', 'BYSECOND'].some((name) => parts.has(name))) throw new Refused(messages.freq)
  if (parts.has('UNTIL') === parts.has('COUNT')) throw new Refused(messages.end)
  try {
    return readRule(regle, { wall: wallOf(first), isDate: true }, () => {
      const day = untilOf(regle)
      if (day === null || !isRealDay(day)) throw new Refused(messages.until)
      return wallOf(day)
    })
  } catch (error) {
    throw error instanceof RuleRefused ? new Refused(messages.unread) : error
  }
}

/** Lists the dates of a rule, which begins on this day. */
function ruledDays(regle: string, first: string): string[] {
  const rule = parseRule(regle, first)
  const last = wallOf(lastAllowed(first))
  if (rule.until !== null && rule.until > last) throw new Refused(messages.tooLong)
  const start = { wall: wallOf(first), isDate: true }
  try {
    const days = [...expand(rule, start, { from: start.wall, to: last, budget: { steps: maxSteps } })]
    if (rule.count !== null && days.length < rule.count) throw new Refused(messages.tooLong)
    return days.map(dayOf)
  } catch (error) {
    throw error instanceof TooManySteps ? new Refused(messages.unread) : error
  }
}

/** Lists the days of a series in order, those called off included. */
export function joursOf({ regle, exceptions, ajouts, occurrences }: Recurrence, first: string): string[] {
  const moved = occurrences.filter(({ reportee_au }) => reportee_au !== null)
  const left = new Set([...exceptions, ...moved.map(({ date }) => date)])
  const kept = [...ruledDays(regle, first), ...ajouts].filter((day) => !left.has(day))
  return [...new Set([...kept, ...moved.map(({ reportee_au }) => reportee_au ?? '')])].sort()
}

/** Returns the days of a series as they are stored; null if the publication is none. */
export const storedJours = ({
  recurrence,
  date_debut,
}: {
  recurrence: Recurrence | null
  date_debut: string | null
}): string[] | null => (recurrence === null || date_debut === null ? null : joursOf(recurrence, date_debut))

/** Writes a rule as it is stored: as calendars do, without the name of the property. */
export const cleanRule = (regle: string): string =>
  regle
    .toUpperCase()
    .replaceAll(/\s/g, '')
    .replace(/^RRULE:/, '')
    .replace(/;+$/, '')

/** Returns why the dates of a series cannot be; an empty list if they can. */
export function recurrenceProblems({
  recurrence,
  date_debut,
  date_fin,
}: {
  recurrence: Recurrence | null
  date_debut: string | null
  date_fin: string | null
}): Problem[] {
  if (recurrence === null) return []
  if (date_debut === null) return [{ field: 'recurrence', message: messages.needsDay }]
  if (date_fin !== null && date_fin > daysLater(date_debut, maxDuration))
    return [{ field: 'date_fin', message: messages.duration }]
  try {
    const [begin] = ruledDays(recurrence.regle, date_debut)
    if (begin === undefined) throw new Refused(messages.two)
    if (begin !== date_debut) throw new Refused(messages.first(begin))
  } catch (error) {
    if (error instanceof Refused) return [{ field: 'recurrence.regle', message: error.problem }]
    throw error
  }
  const problems = dateProblems(recurrence, date_debut)
  if (problems.length > 0) return problems
  const jours = joursOf(recurrence, date_debut)
  return jours.length < 2 ? [{ field: 'recurrence.regle', message: messages.two }] : []
}

/** Returns the problems of the single dates, which a rule that is right decides. */
function dateProblems({ regle, exceptions, ajouts, occurrences }: Recurrence, first: string): Problem[] {
  const ruled = new Set(ruledDays(regle, first))
  const last = lastAllowed(first)
  const isWithin = (day: string) => day >= first && day <= last
  const days = new Set([...ruled, ...ajouts].filter((day) => !exceptions.includes(day)))
  const targets = occurrences.flatMap(({ reportee_au }) => reportee_au ?? [])
  const check = (isRight: boolean, field: string, message: Text) => (isRight ? [] : [{ field, message }])
  return [
    ...exceptions.flatMap((day, at) => check(ruled.has(day), `recurrence.exceptions.${at}`, messages.notOne)),
    ...ajouts.flatMap((day, at) =>
      check(!ruled.has(day) && isWithin(day), `recurrence.ajouts.${at}`, messages.added),
    ),
    ...occurrences.flatMap(({ date, reportee_au }, at) => [
      ...check(
        days.has(date) && occurrences.findIndex((other) => other.date === date) === at,
        `recurrence.occurrences.${at}.date`,
        messages.notOne,
      ),
      ...check(
        reportee_au === null ||
          (!days.has(reportee_au) &&
            isWithin(reportee_au) &&
            targets.indexOf(reportee_au) === targets.lastIndexOf(reportee_au)),
        `recurrence.occurrences.${at}.reportee_au`,
        messages.added,
      ),
    ]),
  ]
}

/** True if readers see that this date is called off. */
export const isCalledOff = (recurrence: Recurrence | null, day: string): boolean =>
  recurrence?.occurrences.some(({ date, reportee_au }) => date === day && reportee_au === null) ?? false

const long = {
  fr: new Intl.DateTimeFormat('fr', { timeZone: 'UTC', dateStyle: 'full' }),
  en: new Intl.DateTimeFormat('en', { timeZone: 'UTC', dateStyle: 'full' }),
}

const messages = {
  freq: {
    en: 'must repeat by day, week, month or year, such as FREQ=WEEKLY;BYDAY=SA;UNTIL=20270626',
    fr: 'doit se répéter par jour, semaine, mois ou année, comme FREQ=WEEKLY;BYDAY=SA;UNTIL=20270626',
  },
  end: {
    en: 'needs an end: either UNTIL or COUNT',
    fr: 'demande une fin : UNTIL ou COUNT, l’un des deux',
  },
  until: { en: 'must end on a day, such as UNTIL=20270626', fr: 'doit finir un jour, comme UNTIL=20270626' },
  unread: { en: 'cannot be read as a rule', fr: 'ne peut pas être lue comme une règle' },
  tooLong: {
    en: 'must end within two years of the first day',
    fr: 'doit finir dans les deux ans qui suivent le premier jour',
  },
  two: { en: 'must leave at least two dates', fr: 'doit laisser au moins deux dates' },
  first: (day: string) => ({
    en: `has its first date on ${long.en.format(wallOf(day))}: begin on that day`,
    fr: `a sa première date le ${long.fr.format(wallOf(day))} : commencez ce jour-là`,
  }),
  needsDay: { en: 'needs a first day', fr: 'demande un premier jour' },
  duration: {
    en: 'must be within a week of the first day: each date of a series lasts as long',
    fr: 'doit être dans la semaine du premier jour : chaque date d’une série dure autant',
  },
  notOne: { en: 'must be a date of the series, once', fr: 'doit être une date de la série, une fois' },
  added: {
    en: 'must be another day than those of the series, within two years of the first',
    fr: 'doit être un autre jour que ceux de la série, dans les deux ans qui suivent le premier',
  },
}
