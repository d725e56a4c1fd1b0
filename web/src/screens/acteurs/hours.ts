/** Opening hours of one week, as people fill them in: for each day the times from and to, in order. */
export type Span = { from: string; to: string }
export type Week = { days: readonly (readonly Span[])[]; closedOnHolidays: boolean }

/** Opening hours as typed. `week` null: they say more than a week can, and are edited as text. */
export type Hours = { week: Week | null; text: string }

export const hoursFrom = (horaires: string | null): Hours => ({
  week: horaires === null ? emptyWeek : parseHours(horaires),
  text: horaires ?? '',
})

/** Returns opening hours in the format of the API. */
export const sentHours = ({ week, text }: Hours): string | null =>
  week === null ? text.trim() || null : formatHours(week)

const names = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'] as const

export const emptyWeek: Week = { days: names.map(() => []), closedOnHolidays: false }

/** Writes a week as OpenStreetMap does, days with the same hours together; null if the week says nothing. */
export function formatHours({ days, closedOnHolidays }: Week): string | null {
  const rules = runsOf(days).map(({ first, last, spans }) => `${rangeOf(first, last)} ${timesOf(spans)}`)
  if (rules.length === 0) return null
  return [...rules, ...(closedOnHolidays ? ['PH off'] : [])].join('; ')
}

/** Groups neighbouring days with the same hours; closed days are left out. */
export function runsOf(days: Week['days']): { first: number; last: number; spans: readonly Span[] }[] {
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

const day = '(?:Mo|Tu|We|Th|Fr|Sa|Su)'
const time = '(?:[01]\\d|2[0-4]):[0-5]\\d'
const rule = new RegExp(
  `^(${day}(?:-${day})?(?:,${day}(?:-${day})?)*) (${time}-${time}(?:,${time}-${time})*|off|closed)$`,
)

/** Reads a week; null if the text says more than a week can. */
export function parseHours(text: string | null): Week | null {
  const days: Span[][] = names.map(() => [])
  let closedOnHolidays = false
  for (const part of (text ?? '').split(';').map((one) => one.trim())) {
    if (part === '') continue
    if (/^PH (off|closed)$/.test(part)) {
      closedOnHolidays = true
      continue
    }
    const found = rule.exec(part)
    if (found === null) return null
    const [, which = '', times = ''] = found
    const spans = /off|closed/.test(times)
      ? []
      : times.split(',').map((span) => {
          const [from = '', to = ''] = span.split('-')
          return { from, to }
        })
    for (const at of which.split(',').flatMap(indexesOf)) days[at] = spans
  }
  return { days, closedOnHolidays }
}

function indexesOf(range: string): number[] {
  const [first = '', last = first] = range.split('-')
  const from = names.indexOf(first as (typeof names)[number])
  const to = names.indexOf(last as (typeof names)[number])
  const length = ((to - from + names.length) % names.length) + 1
  return Array.from({ length }, (_, n) => (from + n) % names.length)
}
