/**
 * Expands recurrence rules (RFC 5545, 3.3.10) in wall-clock time: what the clock shows, in milliseconds as if
 * it were UTC. Does not depend on time zones.
 *
 * Tests every day from the start against all parts of the rule, so that no combination of parts needs its own
 * code and the length of the period bounds the number of steps.
 */
export const dayMs = 86_400_000
const unitMs = { HOURLY: 3_600_000, MINUTELY: 60_000, SECONDLY: 1_000 }
const frequencies = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'] as const
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

type Frequency = (typeof frequencies)[number]
/** A weekday, 0 for Sunday, and its position in the month or year, 0 for every such weekday. */
type Weekday = { day: number; position: number }
type Numbers = Set<number> | null

export type Rule = {
  freq: Frequency
  interval: number
  count: number | null
  until: number | null
  weekStart: number
  months: Numbers
  monthDays: Numbers
  yearDays: Numbers
  weeks: Numbers
  weekdays: Weekday[] | null
  hours: number[] | null
  minutes: number[] | null
  seconds: number[] | null
  positions: Numbers
  /** Only times of these months are yielded; COUNT counts the others too. */
  yielded: Numbers
}

/** The first time of a series; midnight if it is date-only. */
export type Start = { wall: number; isDate: boolean }

/** Thrown for a rule that is invalid or ambiguous. */
export class RuleRefused extends Error {}

export const daysIn = (wall: number) => Math.floor(wall / dayMs)

/** Parses a rule and takes missing parts from the start. `readUntil` converts UNTIL to wall-clock time. */
export function readRule(text: string, start: Start, readUntil: (text: string) => number): Rule {
  const parts = partsOf(text)
  const freq = frequencies.find((name) => name === parts.get('FREQ'))
  if (freq === undefined) throw new RuleRefused('its rule has no known FREQ')
  if (parts.has('RSCALE') || parts.has('SKIP')) throw new RuleRefused('its rule is of another calendar')
  const list = (name: string, min: number, max: number) => numbersOf(parts.get(name), name, min, max)
  const until = parts.get('UNTIL')
  const rule: Rule = {
    freq,
    interval: list('INTERVAL', 1, 100_000)?.[0] ?? 1,
    count: list('COUNT', 1, 1_000_000)?.[0] ?? null,
    until: until === undefined ? null : readUntil(until),
    weekStart: weekdays.indexOf(parts.get('WKST') ?? 'MO'),
    months: setOf(list('BYMONTH', 1, 12)),
    monthDays: setOf(list('BYMONTHDAY', -31, 31)),
    yearDays: setOf(list('BYYEARDAY', -366, 366)),
    weeks: setOf(list('BYWEEKNO', -53, 53)),
    weekdays: weekdaysOf(parts.get('BYDAY')),
    // Date-only events have no time.
    hours: start.isDate ? null : list('BYHOUR', 0, 23),
    minutes: start.isDate ? null : list('BYMINUTE', 0, 59),
    seconds: start.isDate ? null : list('BYSECOND', 0, 59),
    positions: setOf(list('BYSETPOS', -366, 366)),
    yielded: null,
  }
  refuseDisputed(rule)
  const whole = withDefaults(rule, start.wall)
  if (beginsBetweenYears(whole, start.wall))
    throw new RuleRefused('its rule begins between two years of weeks')
  return whole
}

/** Splits a rule. Some exporters write spaces and a trailing semicolon. */
function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of text.toUpperCase().replaceAll(/\s/g, '').split(';')) {
    if (part === '') continue
    const [name = '', value = ''] = part.split('=')
    if (name.startsWith('X-')) continue
    if (!known.has(name) || value === '')
      throw new RuleRefused(`its rule cannot be read: ${part.slice(0, 40)}`)
    parts.set(name, value)
  }
  return parts
}

const known = new Set(
  [
    'FREQ',
    'INTERVAL',
    'COUNT',
    'UNTIL',
    'WKST',
    'RSCALE',
    'SKIP',
    'BYMONTH',
    'BYMONTHDAY',
    'BYYEARDAY',
  ].concat(['BYWEEKNO', 'BYDAY', 'BYHOUR', 'BYMINUTE', 'BYSECOND', 'BYSETPOS']),
)

function numbersOf(text: string | undefined, name: string, min: number, max: number): number[] | null {
  if (text === undefined) return null
  const numbers = text
    .split(',')
    .filter((value) => value !== '')
    .map((value) => (/^[+-]?\d{1,7}$/.test(value) ? Number(value) : Number.NaN))
  const isAllowed = (number: number) => number >= min && number <= max && (min >= 0 || number !== 0)
  if (numbers.length === 0 || !numbers.every(isAllowed))
    throw new RuleRefused(`its rule cannot be read: ${name}=${text.slice(0, 40)}`)
  return [...new Set(numbers)].sort((one, other) => one - other)
}

const setOf = (numbers: number[] | null): Numbers => numbers && new Set(numbers)

function weekdaysOf(text: string | undefined): Weekday[] | null {
  if (text === undefined) return null
  const found = text
    .split(',')
    .filter((value) => value !== '')
    .map((value) => {
      const [, position = '0', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(value) ?? []
      return { day: weekdays.indexOf(name), position: Number(position) }
    })
  if (found.length === 0 || found.some(({ day, position }) => day < 0 || Math.abs(position) > 53))
    throw new RuleRefused(`its rule cannot be read: BYDAY=${text.slice(0, 40)}`)
  return found
}

/** Refuses parts that the standard forbids and programs read differently. */
function refuseDisputed({ freq, weeks, monthDays, yearDays, weekdays, weekStart }: Rule): void {
  const hasPositions = weekdays?.some(({ position }) => position !== 0) ?? false
  const isDisputed =
    weekStart < 0 ||
    (weeks !== null && (freq !== 'YEARLY' || monthDays !== null || yearDays !== null || hasPositions)) ||
    (yearDays !== null && (freq === 'MONTHLY' || freq === 'WEEKLY' || freq === 'DAILY')) ||
    (monthDays !== null && freq === 'WEEKLY') ||
    (hasPositions && freq !== 'YEARLY' && freq !== 'MONTHLY')
  if (isDisputed) throw new RuleRefused('its rule has parts that exclude each other')
}

/** Takes the missing parts of a rule from its start. */
function withDefaults(rule: Rule, start: number): Rule {
  const first = new Date(start)
  const { freq, months, monthDays, yearDays, weeks, weekdays } = rule
  const namesDays = monthDays !== null || yearDays !== null || weekdays !== null
  const filled = {
    ...rule,
    hours: rule.hours ?? (freq === 'HOURLY' || isBelow(freq, 'HOURLY') ? null : [first.getUTCHours()]),
    minutes: rule.minutes ?? (isBelow(freq, 'HOURLY') ? null : [first.getUTCMinutes()]),
    seconds: rule.seconds ?? (freq === 'SECONDLY' ? null : [first.getUTCSeconds()]),
  }
  const day = new Set([first.getUTCDate()])
  const weekday = [{ day: first.getUTCDay(), position: 0 }]
  if (freq === 'WEEKLY' && !namesDays) return { ...filled, weekdays: weekday }
  if (freq === 'MONTHLY' && !namesDays) return { ...filled, monthDays: day }
  if (freq !== 'YEARLY') return filled
  if (weeks !== null) return namesDays ? filled : { ...filled, weekdays: weekday }
  const month = months ?? new Set([first.getUTCMonth() + 1])
  if (!namesDays) return { ...filled, months: month, monthDays: day }
  if (monthDays === null || yearDays !== null || weekdays !== null) return filled
  // Some programs apply BYMONTHDAY without BYMONTH to every month, and count these: the start's month is right for
  // all, as long as neither count is reached.
  return rule.count === null || rule.positions !== null
    ? { ...filled, months: month }
    : { ...filled, yielded: month }
}

const isBelow = (freq: Frequency, other: Frequency) => frequencies.indexOf(freq) > frequencies.indexOf(other)

/** True if the first year of an interval is ambiguous: the start and its week are in different years. */
function beginsBetweenYears(rule: Rule, start: number): boolean {
  const { weeks, interval, weekStart } = rule
  if (weeks === null || interval === 1 || isDayOf(rule, daysIn(start))) return false
  return weekYear(daysIn(start), weekStart) !== new Date(start).getUTCFullYear()
}

export type Budget = { steps: number }
export class TooManySteps extends Error {}

/** Yields the times of a rule from `from` to `to`, both included, in order. */
export function* expand(
  rule: Rule,
  start: Start,
  { from, to, budget }: { from: number; to: number; budget: Budget },
): Generator<number> {
  const { count, until, yielded } = rule
  const end = Math.min(to, until ?? to)
  // Only COUNT requires the times before `from`.
  const begin = count === null ? Math.max(start.wall, from) : start.wall
  let left = count ?? Number.POSITIVE_INFINITY
  for (const time of timesOf(rule, start.wall, { first: daysIn(begin), end, budget })) {
    if (time > end || left-- <= 0) return
    const isYielded = yielded === null || yielded.has(new Date(time).getUTCMonth() + 1)
    if (time >= from && isYielded) yield time
  }
}

type Stretch = { first: number; end: number; budget: Budget }

function* timesOf(rule: Rule, start: number, { first, end, budget }: Stretch): Generator<number> {
  const { positions } = rule
  const periodOf = periodsOf(rule)
  let day = first
  // BYSETPOS counts from the beginning of the period, even before the start.
  while (positions !== null && periodOf(day * dayMs) === periodOf((day - 1) * dayMs)) day -= 1
  const firstPeriod = periodOf(start)
  let period = Number.NaN
  let members: number[] = []
  // Completes the last period even past the end: BYSETPOS may choose its last member.
  const goesOn = () => members.length > 0 && periodOf(day * dayMs) === period
  for (; day * dayMs <= end || goesOn(); day++) {
    spend(budget)
    if (!isDayOf(rule, day)) continue
    for (const time of timesOfDay(rule, day)) {
      spend(budget)
      const own = periodOf(time)
      if (own < firstPeriod || (own - firstPeriod) % rule.interval !== 0) continue
      if (positions === null) {
        if (time >= start) yield time
        continue
      }
      if (own !== period) {
        yield* chosen(members, positions, start)
        period = own
        members = []
      }
      members.push(time)
    }
  }
  if (positions !== null) yield* chosen(members, positions, start)
}

function spend(budget: Budget): void {
  budget.steps -= 1
  if (budget.steps < 0) throw new TooManySteps()
}

function chosen(members: number[], positions: Set<number>, start: number): number[] {
  return members.filter(
    (time, index) => time >= start && (positions.has(index + 1) || positions.has(index - members.length)),
  )
}

/** Returns a function that numbers periods: INTERVAL counts them, and BYSETPOS chooses within one. */
function periodsOf({ freq, weeks, weekStart }: Rule): (time: number) => number {
  switch (freq) {
    case 'YEARLY':
      return weeks === null
        ? (time) => new Date(time).getUTCFullYear()
        : (time) => weekYear(daysIn(time), weekStart)
    case 'MONTHLY':
      return (time) => {
        const date = new Date(time)
        return date.getUTCFullYear() * 12 + date.getUTCMonth()
      }
    case 'WEEKLY':
      return (time) => Math.round(firstOfWeek(daysIn(time), weekStart) / 7)
    case 'DAILY':
      return daysIn
    default:
      return (time) => Math.floor(time / unitMs[freq])
  }
}

/** 0 is Sunday; 1 January 1970 was a Thursday. */
const weekdayOf = (day: number) => (((day + 4) % 7) + 7) % 7
const firstOfWeek = (day: number, weekStart: number) => day - ((weekdayOf(day) - weekStart + 7) % 7)
const firstOfYear = (year: number) => Date.UTC(year, 0, 1) / dayMs

/** Returns the year that contains at least four days of the week. */
const weekYear = (day: number, weekStart: number) =>
  new Date((firstOfWeek(day, weekStart) + 3) * dayMs).getUTCFullYear()
const firstWeek = (year: number, weekStart: number) => firstOfWeek(firstOfYear(year) + 3, weekStart)

function isDayOf(
  { months, monthDays, yearDays, weeks, weekdays, weekStart, freq }: Rule,
  day: number,
): boolean {
  const date = new Date(day * dayMs)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  if (months !== null && !months.has(month + 1)) return false
  if (weekdays !== null && !weekdays.some((weekday) => weekday.day === date.getUTCDay())) return false
  const dayOfMonth = date.getUTCDate()
  const monthLength = Date.UTC(year, month + 1, 1) / dayMs - Date.UTC(year, month, 1) / dayMs
  if (!isAmong(monthDays, dayOfMonth, monthLength)) return false
  const dayOfYear = day - firstOfYear(year) + 1
  const yearLength = firstOfYear(year + 1) - firstOfYear(year)
  if (!isAmong(yearDays, dayOfYear, yearLength)) return false
  if (weeks !== null) {
    const ofYear = weekYear(day, weekStart)
    const first = firstWeek(ofYear, weekStart)
    const week = Math.floor((day - first) / 7) + 1
    if (!isAmong(weeks, week, (firstWeek(ofYear + 1, weekStart) - first) / 7)) return false
  }
  if (weekdays === null) return true
  const [place, length] =
    freq === 'YEARLY' && months === null ? [dayOfYear, yearLength] : [dayOfMonth, monthLength]
  const forwards = Math.ceil(place / 7)
  const backwards = -Math.ceil((length - place + 1) / 7)
  return weekdays.some(
    (weekday) =>
      weekday.day === date.getUTCDay() &&
      (weekday.position === 0 || weekday.position === forwards || weekday.position === backwards),
  )
}

/** Negative numbers count from the end. */
const isAmong = (numbers: Numbers, place: number, length: number) =>
  numbers === null || numbers.has(place) || numbers.has(place - length - 1)

const upTo = (length: number) => Array.from({ length }, (_, index) => index)
const everyHour = upTo(24)
const everySixtieth = upTo(60)

function* timesOfDay({ hours, minutes, seconds }: Rule, day: number): Generator<number> {
  for (const hour of hours ?? everyHour)
    for (const minute of minutes ?? everySixtieth)
      for (const second of seconds ?? everySixtieth)
        yield day * dayMs + ((hour * 60 + minute) * 60 + second) * 1_000
}
