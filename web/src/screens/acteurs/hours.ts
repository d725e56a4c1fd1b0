import {
  isOfDates,
  isOff,
  type Rule,
  readOpeningHours,
} from '../../../../src/modules/defibrillateurs/hours/opening-hours.ts'
import {
  formatPeriod,
  isYearly,
  nextDays,
  type Period,
} from '../../../../src/modules/defibrillateurs/hours/periods.ts'
import { dayInParis } from '../../ui/moment.ts'

/** Opening hours of one week, as people fill them in: for each day the times from and to, in order. */
export type Span = { from: string; to: string }
type Days = readonly (readonly Span[])[]
/** Without exceptions where there are none, as in drafts of former versions. */
export type Week = { days: Days; closedOnHolidays: boolean; exceptions?: readonly Exception[] }

/**
 * Dates with hours of their own, in this year or each: `closed` has none, `day` has one list of times, `season` has one for
 * each day of the week.
 */
export type Exception = {
  kind: 'closed' | 'day' | 'season'
  first: string
  last: string
  isYearly: boolean
  days: Days
}

/** Opening hours as typed. `week` null: they say more than the form can, and are edited as text. */
export type Hours = { week: Week | null; text: string }

export const hoursFrom = (horaires: string | null, today = dayInParis(new Date())): Hours => ({
  week: horaires === null ? emptyWeek : parseHours(horaires, today),
  text: horaires ?? '',
})

/** Returns opening hours in the format of the API. */
export const sentHours = ({ week, text }: Hours): string | null =>
  week === null ? text.trim() || null : formatHours(week)

const names = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const

export const emptyWeek: Week = { days: names.map(() => []), closedOnHolidays: false }

/**
 * Writes hours as OpenStreetMap does, days with the same hours together; null if they say nothing. Later rules replace
 * earlier ones: seasons, then public holidays, then single dates, the shorter ones last.
 */
export function formatHours({ days, closedOnHolidays, exceptions = [] }: Week): string | null {
  const sorted = exceptions.toSorted((one, other) => lengthOf(other) - lengthOf(one))
  const rules = [
    ...rulesOf(days),
    ...sorted.filter(({ kind }) => kind === 'season').flatMap(datedRules),
    ...(closedOnHolidays && (exceptions.length > 0 || days.some((spans) => spans.length > 0))
      ? ['PH off']
      : []),
    ...sorted.filter(({ kind }) => kind !== 'season').flatMap(datedRules),
  ]
  return rules.length === 0 ? null : rules.join('; ')
}

const dayMs = 86_400_000
const lengthOf = ({ first, last }: Exception) => (Date.parse(last) - Date.parse(first)) / dayMs || 0

const rulesOf = (days: Days) =>
  runsOf(days).map(({ first, last, spans }) => `${rangeOf(first, last)} ${timesOf(spans)}`)

/** Names the days on which it is closed too: those of the week would be open. */
function datedRules({ kind, first, last, isYearly, days }: Exception): string[] {
  const [from, to] = isYearly ? [first.slice(5), last.slice(5)] : [first, last]
  // A date that is not typed to the end: the service refuses the text, and the field says why.
  const period = first === '' || last === '' ? '?' : formatPeriod({ first: from, last: to })
  const closed = days.flatMap((spans, day) => (spans.length === 0 ? (names[day] ?? []) : []))
  if (kind === 'closed' || closed.length === days.length) return [`${period} off`]
  if (kind === 'day') return [`${period} ${timesOf(days[0])}`]
  const rules = closed.length === 0 ? rulesOf(days) : [...rulesOf(days), `${closed.join(',')} off`]
  return rules.map((rule) => `${period} ${rule}`)
}

/** Groups neighbouring days with the same hours; closed days are left out. */
export function runsOf(days: Days): { first: number; last: number; spans: readonly Span[] }[] {
  const runs = []
  for (let first = 0; first < names.length; ) {
    const spans = days[first] ?? []
    let last = first
    while (last + 1 < names.length && timesOf(days[last + 1]) === timesOf(spans)) last++
    if (spans.length > 0) runs.push({ first, last, spans })
    first = last + 1
  }
  return runs
}

const timesOf = (spans: readonly Span[] = []) => spans.map(({ from, to }) => `${from}-${to}`).join(',')

const rangeOf = (first: number, last: number) =>
  first === last ? names[first] : `${names[first]}${last === first + 1 ? ',' : '-'}${names[last]}`

/** Reads hours; null if they say more than the form can. Dates that have passed are left out. */
export function parseHours(text: string | null, today: string): Week | null {
  const rules = text === null || text.trim() === '' ? [] : readOpeningHours(text)
  if (rules === null || rules === 'always') return null
  let days: Days = names.map(() => [])
  let closedOnHolidays = false
  const dated = new Map<string, Exception>()
  for (const rule of rules) {
    if (rule.adds) return null
    if (rule.holidays) {
      // Hours on holidays, or a single day before them that they close again.
      const hasDay = [...dated.values()].some(({ kind }) => kind === 'day')
      if (rule.periods !== null || rule.days?.size !== 0 || !isOff(rule) || hasDay) return null
      closedOnHolidays = true
    } else if (rule.periods === null) {
      if (dated.size > 0) return null
      days = withRule(days, rule)
    } else
      for (const period of rule.periods) {
        const key = formatPeriod(period)
        const exception = exceptionOf(rule, period, dated.get(key), { days, today })
        if (exception === undefined) return null
        if (exception) dated.set(key, exception)
      }
  }
  return { days, closedOnHolidays, ...(dated.size > 0 && { exceptions: [...dated.values()] }) }
}

/** Returns what a rule says of a period, with what earlier ones say; null if it has passed, undefined if the form cannot. */
function exceptionOf(
  rule: Rule,
  period: Period,
  before: Exception | undefined,
  { days, today }: { days: Days; today: string },
): Exception | null | undefined {
  const next = nextDays(period, today)
  if (next === null) return null
  const dates = { first: next.from, last: next.to, isYearly: isYearly(period) }
  // The form needs the next 29 February, which not every year has.
  if (dates.isYearly && [period.first, period.last].includes('02-29')) return undefined
  return { ...dates, ...hoursOf() }

  function hoursOf(): Pick<Exception, 'kind' | 'days'> {
    if (isOfDates(rule) && isOff(rule)) return { kind: 'closed', days: [] }
    if (isOfDates(rule) && period.first === period.last) return { kind: 'day', days: [spansOf(rule)] }
    return { kind: 'season', days: withRule(before?.kind === 'season' ? before.days : days, rule) }
  }
}

const withRule = (days: Days, rule: Rule): Days =>
  days.map((spans, day) => ((rule.days?.has(day) ?? true) ? spansOf(rule) : spans))

const spansOf = ({ spans }: Rule): Span[] =>
  spans.map(({ from, to }) => ({ from: clockOf(from), to: clockOf(to) }))

const dayMinutes = 1_440
const clockOf = (minutes: number) => {
  const minute = minutes % dayMinutes
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
}
