import {
  isDated,
  isOfDates,
  isOff,
  type OpeningHours,
  type Rule,
  readOpeningHours,
} from '../modules/defibrillateurs/hours/opening-hours.ts'
import { isClosedForHoliday } from '../modules/defibrillateurs/hours/opening-state.ts'
import { isYearly, nextDays } from '../modules/defibrillateurs/hours/periods.ts'
import { daysBetween, daysLater } from '../platform/time/days.ts'
import { html, type Markup } from './html.ts'
import { capital, dayInWords, t } from './text.ts'

/** Returns opening hours in words, a line for each rule; null if they cannot be read. Dates that have passed are left out. */
export function hoursInWords(text: string, today: string): string[] | null {
  const hours = readOpeningHours(text)
  if (hours === null) return null
  return hours === 'always' ? [t.hours.always] : linesOf(hours, today)
}

/**
 * The row of opening hours in a list of contacts: what is announced, then a line for each rule; the text itself where it
 * cannot be read.
 */
export function hoursRow(horaires: string | null, today: string, departement = ''): [string, Markup][] {
  if (horaires === null) return []
  const hours = readOpeningHours(horaires)
  if (hours === null) return [[t.acteurs.hours, html`${horaires}`]]
  const notices = hours === 'always' ? [] : noticesOf(hours, today, departement)
  const lines = hours === 'always' ? [t.hours.always] : linesOf(hours, today)
  const others = lines.filter((line) => !notices.includes(line))
  return [
    [
      t.acteurs.hours,
      html`<ul class="plain">${notices.map((line) => html`<li><strong>${line}</strong></li>`)}${others.map((line) => html`<li>${line}</li>`)}</ul>`,
    ],
  ]
}

/** How many days ahead closures and other hours are announced. */
const announcedDays = 7
/** From how many days on other hours are those of a season. */
const seasonDays = 14

/**
 * Returns in words which closures and other hours apply today or begin within a week, and the public holidays on which
 * it is closed; the first to come first.
 */
export function noticesOf(hours: OpeningHours, today: string, departement: string): string[] {
  if (hours === 'always') return []
  const until = daysLater(today, announcedDays)
  const dated = hours.flatMap((rule) =>
    (rule.periods ?? []).flatMap((period) => {
      const days = nextDays(period, today)
      return days === null || days.from > until
        ? []
        : { from: days.from, words: ruleInWords(rule, days, today) }
    }),
  )
  const holidays = Array.from({ length: announcedDays + 1 }, (_, at) => daysLater(today, at))
    .filter((date) => isClosedForHoliday(hours, departement, date))
    .map((date) => ({ from: date, words: t.hours.closedForHoliday(dayOrToday(date, today)) }))
  const notices = [...dated, ...holidays].toSorted((one, other) => (one.from < other.from ? -1 : 1))
  return [...new Set(notices.map(({ words }) => words))]
}

type Days = { from: string; to: string }

/** "Fermé exceptionnellement le mardi 24 décembre", "Horaires d’été du 6 juillet au 24 août" */
function ruleInWords(rule: Rule, days: Days, today: string): string {
  const { from, to } = days
  if (from === to) {
    const day = dayOrToday(from, today)
    if (isOff(rule)) return t.hours.closedOn(day)
    return rule.days === null ? t.hours.otherOn(day, timesOf(rule)) : t.hours.other(day)
  }
  if (isOff(rule) && rule.days === null)
    return t.hours.closedFrom(dayInWords(from, today), dayInWords(to, today))
  return seasonInWords(days, today)
}

function seasonInWords(days: Days, today: string): string {
  const span = t.hours.fromTo(dateIn(days.from, today), dateIn(days.to, today))
  return isSummer(days) ? t.hours.summer(span) : t.hours.other(span)
}

const isSummer = ({ from, to }: Days) =>
  from.slice(0, 4) === to.slice(0, 4) &&
  '06' <= from.slice(5, 7) &&
  to.slice(5, 7) <= '09' &&
  daysBetween(from, to) >= seasonDays

/** `6 juillet`, with its year unless that is the one of `today`. */
const dateIn = (date: string, today: string) => dayInWords(date, today).split(' ').slice(1).join(' ')

const dayOrToday = (date: string, today: string) =>
  date === today ? t.hours.today : t.hours.theDay(dayInWords(date, today))

/** The hours of today's season come first, then those of the week, then dates to come. */
function linesOf(hours: readonly Rule[], today: string): string[] {
  const inForce = ({ periods }: Rule) =>
    periods?.some((period) => (nextDays(period, today)?.from ?? '9999') <= today) ?? false
  const seasons = hours.filter((rule) => inForce(rule) && !isOfDates(rule))
  const others = hours.filter((rule) => !seasons.includes(rule))
  return [...seasons, ...others].flatMap((rule) => (isDated(rule) ? datedLines(rule, today) : lineOf(rule)))
}

const datedLines = (rule: Rule, today: string): string[] =>
  (rule.periods ?? []).flatMap((period) => {
    const days = nextDays(period, today)
    if (days === null) return []
    if (isOfDates(rule) && (isOff(rule) || days.from === days.to))
      return `${ruleInWords(rule, days, today)}${isYearly(period) ? t.hours.yearly : ''}`
    return `${periodInWords(days, today)}, ${lineOf(rule).toLowerCase()}`
  })

/** "Du 6 juillet au 24 août" */
const periodInWords = ({ from, to }: Days, today: string) =>
  from === to
    ? capital(t.hours.theDay(dayInWords(from, today)))
    : capital(t.hours.fromTo(dateIn(from, today), dateIn(to, today)))

const lineOf = (rule: Rule): string => {
  const named = [...daysInWords(rule.days), ...(rule.holidays ? [t.hours.holidays] : [])]
  const when = named.length === 0 ? t.hours.everyDay : named.join(', ')
  return `${capital(when)}\u00a0: ${isOff(rule) ? t.hours.closed : timesOf(rule)}`
}

const timesOf = ({ spans }: Rule): string =>
  spans
    .map(({ from, to }) => `${timeInWords(from)} – ${timeInWords(to > dayMinutes ? to - dayMinutes : to)}`)
    .join(', ')

const dayMinutes = 1_440

/** Names runs of three days and more by the first and the last. */
function daysInWords(days: ReadonlySet<number> | null): string[] {
  const runs: number[][] = []
  for (const day of [...(days ?? [])].toSorted((one, other) => one - other)) {
    const run = runs.at(-1)
    if (run?.at(-1) === day - 1) run.push(day)
    else runs.push([day])
  }
  const name = (day: number | undefined) => t.hours.days[day ?? 0] ?? ''
  return runs.flatMap((run) =>
    run.length > 2 ? [t.hours.fromTo(name(run[0]), name(run.at(-1)))] : run.map(name),
  )
}

/** `8 h 30`, `12 h` */
export const timeInWords = (minutes: number): string => {
  const minute = minutes % 60
  return `${Math.floor(minutes / 60)}\u00a0h${minute === 0 ? '' : `\u00a0${String(minute).padStart(2, '0')}`}`
}
