/**
 * Opening hours in the part of OpenStreetMap's syntax that the registry uses: `24/7`, weekdays, times (past midnight
 * too), `PH` for public holidays, and `off`. All else is unknown, so that nothing is called open that may be closed.
 */

/** A day as the hours see it: 0 is Monday. */
export type Day = { weekday: number; isHoliday: boolean }

/** Minutes since the midnight that the day begins with; the end may lie in the next day. */
type Span = { from: number; to: number }
type Rule = { days: ReadonlySet<number> | null; holidays: boolean; spans: readonly Span[]; adds: boolean }
/** Later rules go before earlier ones, or add to them. */
export type OpeningHours = 'always' | readonly Rule[]

/** Null: unknown. */
export function readOpeningHours(text: string): OpeningHours | null {
  const given = text.trim().replace(/\s+/g, ' ')
  if (/^24\/7$/.test(given)) return 'always'
  const parts = given.split(';').map((part) => part.trim())
  // One `;` at the end separates nothing.
  if (parts.at(-1) === '') parts.pop()
  const rules = parts.flatMap((part) => splitRules(part).map((rule, at) => readRule(rule, at > 0)))
  if (rules.length === 0 || rules.some((rule) => rule === null)) return null
  return rules as Rule[]
}

/** Whether it is open at that minute of today; null where nothing is said of such a day. */
export function isOpenAt(hours: OpeningHours, minute: number, today: Day, yesterday: Day): boolean | null {
  if (hours === 'always') return true
  const isIn = (at: number) => (span: Span) => span.from <= at && at < span.to
  if (spansOf(hours, yesterday).some(isIn(minute + dayMinutes))) return true
  if (spansOf(hours, today).some(isIn(minute))) return true
  if (hours.every(({ days }) => days?.size === 0)) return today.isHoliday ? false : null
  // What never opens says nothing: most of the registry has `Mo-Su off`, and means "unknown".
  return hours.some(({ spans }) => spans.length > 0) ? false : null
}

const dayMinutes = 1_440

/** On a public holiday what is said of public holidays goes before what is said of the weekday. */
function spansOf(rules: readonly Rule[], { weekday, isHoliday }: Day): readonly Span[] {
  const ofHolidays = isHoliday ? rules.filter(({ holidays }) => holidays) : []
  const about = ofHolidays.length > 0 ? ofHolidays : rules.filter(({ days }) => days?.has(weekday) ?? true)
  const from = about.findLastIndex(({ adds }) => !adds)
  return about.slice(Math.max(0, from)).flatMap(({ spans }) => spans)
}

/** `Mo-Fr 08:00-12:00, Sa 09:00-12:00` is two rules: a comma between a time and a day. The second adds to the first. */
const splitRules = (part: string) => part.split(/(?<=\d|off|closed) ?, ?(?=[a-z])/i)

const selector =
  /^(?<days>(?:(?:mo|tu|we|th|fr|sa|su|ph)(?: ?- ?(?:mo|tu|we|th|fr|sa|su))?(?: ?, ?)?)+)?:? ?(?<rest>.*)$/i

function readRule(text: string, adds: boolean): Rule | null {
  const { days = '', rest = '' } = selector.exec(text)?.groups ?? {}
  const spans = readSpans(rest)
  const about = readDays(days)
  return spans === null || about === null ? null : { ...about, spans, adds }
}

const names = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su']

/** None named: every day. */
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
    // `Sa-Mo` goes round.
    for (let day = from; ; day = (day + 1) % 7) {
      days.add(day)
      if (day === to) break
    }
  }
  return { days, holidays }
}

/** Null: not understood. `off` is no span. */
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
