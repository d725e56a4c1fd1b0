/**
 * From one day to another, both included: `2026-07-06` to `2026-08-24`, or `07-06` to `08-24` for each year, which may
 * go over New Year.
 */
export type Period = { first: string; last: string }

export const isYearly = ({ first }: Period) => first.length === yearlyLength
const yearlyLength = 'mm-dd'.length

/** Returns whether a day, as `2026-12-24`, lies in one of the periods; null: there is no restriction to any. */
export const isWithin = (periods: readonly Period[] | null, date: string): boolean =>
  periods === null || periods.some((period) => covers(period, date))

function covers(period: Period, date: string): boolean {
  const { first, last } = period
  const day = isYearly(period) ? date.slice(-yearlyLength) : date
  return first <= last ? first <= day && day <= last : first <= day || day <= last
}

/** Returns the days of a period that has not passed on `today`, in the next year of one that comes back; null if it has. */
export function nextDays(period: Period, today: string): { from: string; to: string } | null {
  const { first, last } = period
  if (!isYearly(period)) return last < today ? null : { from: first, to: last }
  const thisYear = Number(today.slice(0, 4))
  const years = [thisYear - 1, thisYear, thisYear + 1]
  const days = years.map((year) => ({
    from: `${year}-${first}`,
    to: `${first <= last ? year : year + 1}-${last}`,
  }))
  return days.find(({ to }) => today <= to) ?? null
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const year = String.raw`(\d{4}) `
const month = `(${months.join('|')})`
// Not the hour of `Jul 08:00-12:00`.
const day = String.raw`(\d{1,2})(?!\d|:\d)`
const period = new RegExp(
  `^(?:${year})?${month}(?: ${day})?(?: ?- ?(?:(?:${year})?${month})? ?(?:${day})?)?`,
  'i',
)

/** Reads the periods with which a rule begins, and returns what follows; null if they are unsupported. */
export function readPeriods(text: string): { periods: Period[] | null; rest: string } | null {
  const periods: Period[] = []
  for (let rest = text; ; ) {
    const found = period.exec(rest)
    if (found === null) return periods.length === 0 ? { periods: null, rest } : null
    const read = periodOf(found)
    if (read === null) return null
    periods.push(read)
    rest = rest.slice(found[0].length)
    const comma = /^ ?, ?/.exec(rest)
    if (comma === null) return { periods, rest: rest.replace(/^ ?:? ?/, '') }
    rest = rest.slice(comma[0].length)
  }
}

function periodOf([text, year1, month1 = '', day1, year2, month2, day2]: RegExpExecArray): Period | null {
  const isRange = text.includes('-')
  // Both ends name a day, or neither does; and both a year, or neither. Only the last may leave out its month.
  if (isRange && (day1 === undefined) !== (day2 === undefined)) return null
  if (isRange && month2 === undefined && day2 === undefined) return null
  if (month2 !== undefined && (year1 === undefined) !== (year2 === undefined)) return null
  const first = dayOf(year1, month1, day1 ?? '1')
  const last = dayOf(year2 ?? year1, month2 ?? month1, day2 ?? day1 ?? 'last')
  if (first === null || last === null || (year1 !== undefined && last < first)) return null
  return { first, last }
}

/** A year with a 29 February: days of each year may name it. */
const leapYear = '2000'

/** Returns a day as `2026-07-06`, or `07-06` without a year; null if there is no such day. */
function dayOf(year: string | undefined, name: string, day: string): string | null {
  const month = months.indexOf(name.toLowerCase()) + 1
  const days = new Date(Date.UTC(Number(year ?? leapYear), month, 0)).getUTCDate()
  const number = day === 'last' ? days : Number(day)
  if (number < 1 || number > days) return null
  return [...(year === undefined ? [] : [year]), twoDigits(month), twoDigits(number)].join('-')
}

const twoDigits = (number: number) => String(number).padStart(2, '0')

/** Writes a period as OpenStreetMap does: `2026 Jul 06-2026 Aug 24`, `Dec 24`. */
export function formatPeriod({ first, last }: Period): string {
  const write = (day: string) => {
    const [number = '', at = '', of] = day.split('-').toReversed()
    const name = months[Number(at) - 1] ?? ''
    return `${of === undefined ? '' : `${of} `}${name.charAt(0).toUpperCase()}${name.slice(1)} ${number}`
  }
  return first === last ? write(first) : `${write(first)}-${write(last)}`
}
