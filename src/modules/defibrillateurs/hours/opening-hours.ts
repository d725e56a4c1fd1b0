import { isWithin, type Period, readPeriods } from './periods.ts'

/**
 * Opening hours in the subset of OpenStreetMap's syntax that the registry and mairies use: `24/7`, weekdays, times (also
 * past midnight), `PH` for public holidays, dates, and `off`. Anything else is unknown, and so is a moment for which
 * the reasonable readings of an expression differ: a device is open only if it is open in every reading.
 */

/** A day, as `2026-12-24`; weekday 0 is Monday. */
export type Day = { date: string; weekday: number; isHoliday: boolean }

/** Minutes since midnight; the end may be on the next day. */
export type Span = { from: number; to: number }
/** `periods` null: at any time of the year. `days` null: every day. No spans: `off`. `adds`: the rule follows a comma. */
export type Rule = {
  periods: readonly Period[] | null
  days: ReadonlySet<number> | null
  holidays: boolean
  spans: readonly Span[]
  adds: boolean
}
/** Later rules replace earlier ones on the days that they name, or add to them. */
export type OpeningHours = 'always' | readonly Rule[]

/** Parses an expression; null if any part of it is unsupported. */
export function readOpeningHours(text: string): OpeningHours | null {
  const given = text.trim().replace(/\s+/g, ' ')
  if (/^24\/7$/.test(given)) return 'always'
  const parts = given.split(';').map((part) => part.trim())
  // Ignores a trailing `;`.
  if (parts.at(-1) === '') parts.pop()
  const rules = parts.flatMap((part, at) => (at === 0 && part === '24/7' ? allWeek : readPart(part)))
  if (rules.length === 0 || rules.some((rule) => rule === null)) return null
  return rules as Rule[]
}

/** Returns whether it is open at this minute of today; null if unknown for that day or if readings differ. */
export function isOpenAt(hours: OpeningHours, minute: number, today: Day, yesterday: Day): boolean | null {
  if (hours === 'always') return true
  const moment = { minute, today, yesterday }
  const [first, ...others] = [
    ...readings.map((reading) => isOpenBy(reading, hours, moment)),
    isOpenByAll(hours, moment),
  ]
  // `PH off` is unambiguous at any position: it overrides readings in which a later weekday rule applies.
  if (others.some((open) => open !== first)) return isHolidayOff(hours, today) ? false : null
  if (first) return true
  if (hours.every(({ days }) => days?.size === 0)) return today.isHoliday ? false : null
  // An expression that never opens means unknown: most of the registry has `Mo-Su off` as a placeholder.
  return hours.every(isOff) ? null : false
}

/** Returns whether the last dates that name this day say `off`. */
export function closesByDate(hours: OpeningHours, date: string): boolean {
  if (hours === 'always') return false
  const last = hours.findLast((rule) => isOfDates(rule) && isWithin(rule.periods, date))
  return last !== undefined && isOff(last)
}

const dayMinutes = 1_440

/**
 * The points on which parsers of the syntax differ.
 *
 * - `holidaysFirst`: on a public holiday, only rules that name `PH` or the date apply. The OpenStreetMap reference
 *   applies rules in order, so that a later `Mo-Fr` replaces an earlier `PH`.
 * - `cutsNights`: a span past midnight ends at midnight if a later rule replaces the next day, as in the
 *   reference: `22:00-02:00; Tu 12:00-14:00` is closed on Tuesday at 01:00.
 * - `bareReplaces`: a later rule without days replaces the earlier ones. In the reference it adds to them.
 */
type Reading = { holidaysFirst: boolean; cutsNights: boolean; bareReplaces: boolean }

const readings: Reading[] = [true, false].flatMap((holidaysFirst) =>
  [true, false].flatMap((cutsNights) =>
    [true, false].map((bareReplaces) => ({ holidaysFirst, cutsNights, bareReplaces })),
  ),
)

type Moment = { minute: number; today: Day; yesterday: Day }

function isOpenBy(reading: Reading, hours: readonly Rule[], { minute, today, yesterday }: Moment): boolean {
  const present = effectiveRules(reading, hours, today)
  if (present.some((rule) => covers(rule, minute))) return true
  const nights = effectiveRules(reading, hours, yesterday).filter((rule) => covers(rule, minute + dayMinutes))
  if (!reading.cutsNights) return nights.length > 0
  const replacing = hours.findLastIndex((rule) => rule === present[0] && replaces(rule, reading))
  return nights.some((rule) => hours.indexOf(rule) >= replacing)
}

/** The reading in which only dates replace what stands before them: each rule about the day must say open. */
function isOpenByAll(hours: readonly Rule[], { minute, today, yesterday }: Moment): boolean {
  const isOpen = (day: Day, at: number) => {
    const all = groupsOf(hours)
      .map((group) => group.filter((rule) => isAbout(rule, day)))
      .filter((group) => group.length > 0)
    const about = all.slice(
      Math.max(
        0,
        all.findLastIndex((group) => group.some(isDated)),
      ),
    )
    return (
      about.length > 0 && about.every((group) => !group.some(isOff) && group.some((rule) => covers(rule, at)))
    )
  }
  return isOpen(today, minute) || isOpen(yesterday, minute + dayMinutes)
}

/** Groups a rule with those that a comma adds to it. */
function groupsOf(hours: readonly Rule[]): Rule[][] {
  const groups: Rule[][] = []
  for (const rule of hours) {
    if (rule.adds) groups.at(-1)?.push(rule)
    else groups.push([rule])
  }
  return groups
}

const covers = ({ spans }: Rule, at: number) => spans.some(({ from, to }) => from <= at && at < to)
export const isOff = ({ spans }: Rule) => spans.length === 0
export const isDated = ({ periods }: Rule) => periods !== null
/** Returns whether a rule names its days by their dates alone: those come before weekdays and holidays. */
export const isOfDates = ({ periods, days }: Rule) => periods !== null && days === null
const isAbout = ({ periods, days, holidays }: Rule, { date, weekday, isHoliday }: Day) =>
  isWithin(periods, date) && ((days?.has(weekday) ?? true) || (holidays && isHoliday))

/** True if a rule replaces all earlier ones; `off` does so even after a comma. */
const replaces = (rule: Rule, { bareReplaces }: Reading) =>
  isOff(rule) || (!rule.adds && (bareReplaces || rule.days !== null || isDated(rule)))

/** Returns the rules in effect on a day: the last one that replaces the others, and the rules added to it. */
function effectiveRules(reading: Reading, hours: readonly Rule[], day: Day): readonly Rule[] {
  const about = hours.filter((rule) => isAbout(rule, day))
  const ofHolidays =
    reading.holidaysFirst && day.isHoliday ? about.filter((rule) => rule.holidays || isOfDates(rule)) : []
  const chosen = ofHolidays.length > 0 ? ofHolidays : about
  return chosen.slice(
    Math.max(
      0,
      chosen.findLastIndex((rule) => replaces(rule, reading)),
    ),
  )
}

function isHolidayOff(hours: readonly Rule[], { isHoliday, date }: Day): boolean {
  const last = isHoliday
    ? hours.findLast(({ holidays, periods }) => holidays && isWithin(periods, date))
    : undefined
  return last !== undefined && isOff(last)
}

/** `24/7` before exceptions, as in `24/7; PH off`. */
const allWeek: Rule = {
  ...{ periods: null, days: null, holidays: false },
  ...{ spans: [{ from: 0, to: dayMinutes }], adds: false },
}

/** Splits at a comma between time and day or date: `Mo 08:00-12:00, Sa 09:00-12:00` is two rules; the second adds. */
const readPart = (part: string) =>
  part.split(/(?<=:\d\d|off|closed) ?, ?(?=[a-z]|\d{4} )/i).map((rule, at) => readRule(rule, at > 0))

const selector =
  /^(?<days>(?:(?:mo|tu|we|th|fr|sa|su|ph)(?: ?- ?(?:mo|tu|we|th|fr|sa|su))?(?: ?, ?)?)+)?:? ?(?<rest>.*)$/i

function readRule(text: string, adds: boolean): Rule | null {
  const dated = readPeriods(text)
  if (dated === null) return null
  const { days = '', rest = '' } = selector.exec(dated.rest)?.groups ?? {}
  const spans = readSpans(rest)
  const about = readDays(days)
  return spans === null || about === null ? null : { periods: dated.periods, ...about, spans, adds }
}

const names = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su']

/** Parses days: every day if none is named; null if unsupported. */
function readDays(text: string): Pick<Rule, 'days' | 'holidays'> | null {
  if (text.trim() === '') return { days: null, holidays: false }
  const days = new Set<number>()
  let holidays = false
  for (const part of text.toLowerCase().replaceAll(' ', '').split(',')) {
    const [first = '', last = first, ...more] = part.split('-')
    if (part === 'ph') {
      holidays = true
      continue
    }
    const [from, to] = [names.indexOf(first), names.indexOf(last)]
    if (from < 0 || to < 0 || more.length > 0) return null
    // `Sa-Mo` wraps around.
    for (let day = from; ; day = (day + 1) % 7) {
      days.add(day)
      if (day === to) break
    }
  }
  return { days, holidays }
}

/** Parses times; none for `off`, null if unsupported. */
function readSpans(text: string): Span[] | null {
  if (/^(off|closed)$/i.test(text)) return []
  if (text === '') return null
  const spans = text.split(',').map((part) => readSpan(part.trim()))
  return spans.includes(null) ? null : (spans as Span[])
}

function readSpan(text: string): Span | null {
  const [, h1, m1, h2, m2] = /^(\d{1,2}):(\d{2}) ?- ?(\d{1,2}):(\d{2})$/.exec(text) ?? []
  if (h1 === undefined) return null
  if (Number(m1) > 59 || Number(m2) > 59) return null
  const [from, end] = [Number(h1) * 60 + Number(m1), Number(h2) * 60 + Number(m2)]
  if (from >= dayMinutes || end > 2 * dayMinutes) return null
  // `22:00-06:00` ends the next day; `00:00-00:00` lasts all day.
  const to = end <= from ? end + dayMinutes : end
  return to - from > dayMinutes ? null : { from, to }
}
