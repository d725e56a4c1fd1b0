import { dayMs, type Rule } from '../../platform/time/recurrence.ts'
import {
  joursOf,
  type Lang,
  lastAllowed,
  parseRule,
  type Recurrence,
  Refused,
  untilOf,
} from './recurrence.ts'

/** Series in words, and the rules that people choose from. The browser loads this file too. */

/** Writes a rule in words: `chaque samedi`, `le premier mardi du mois`; null for one that is too particular. */
export function ruleInWords(regle: string, first: string, lang: Lang): string | null {
  try {
    return (lang === 'fr' ? inFrench : inEnglish)(partsOf(parseRule(regle, first)))
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}

type Parts =
  | { each: 'day'; interval: number }
  | { each: 'week'; interval: number; days: number[] }
  | { each: 'month'; interval: number; positions: number[]; day: number }
  | { each: 'month'; interval: number; monthDays: number[] }
  | null

function partsOf({ freq, interval, weekdays, monthDays, yearDays, months, positions }: Rule): Parts {
  if (yearDays !== null || months !== null) return null
  const places = weekdays?.map(({ position }) => position) ?? []
  const days = weekdays?.map(({ day }) => day) ?? []
  const isPlain = places.every((place) => place === 0)
  const sorted = (numbers: Iterable<number>) =>
    [...numbers].sort((one, other) => (one < 0 ? 99 - one : one) - (other < 0 ? 99 - other : other))
  if (freq === 'DAILY' && weekdays === null && monthDays === null && positions === null)
    return { each: 'day', interval }
  if (freq === 'WEEKLY' && isPlain && positions === null)
    return { each: 'week', interval, days: sorted(days.map((day) => day || 7)).map((day) => day % 7) }
  if (freq !== 'MONTHLY') return null
  if (weekdays === null)
    return positions === null && monthDays !== null
      ? { each: 'month', interval, monthDays: sorted(monthDays) }
      : null
  const [day, ...others] = new Set(days)
  if (monthDays !== null || day === undefined || others.length > 0) return null
  const which = isPlain ? sorted(positions ?? []) : positions === null ? sorted(places) : []
  const isNamed = which.length > 0 && which.every((place) => ordinals.fr[place] !== undefined)
  return isNamed ? { each: 'month', interval, positions: which, day } : null
}

const ordinals: Record<Lang, Record<number, string>> = {
  fr: { 1: 'premier', 2: 'deuxième', 3: 'troisième', 4: 'quatrième', 5: 'cinquième', [-1]: 'dernier' },
  en: { 1: 'first', 2: 'second', 3: 'third', 4: 'fourth', 5: 'fifth', [-1]: 'last' },
}
const lists = { fr: new Intl.ListFormat('fr'), en: new Intl.ListFormat('en') }
const weekdays = {
  fr: new Intl.DateTimeFormat('fr', { timeZone: 'UTC', weekday: 'long' }),
  en: new Intl.DateTimeFormat('en', { timeZone: 'UTC', weekday: 'long' }),
}
/** The name of a weekday: 0 is Sunday, and 4 January 1970 was one. */
const nameOf = (day: number, lang: Lang) => weekdays[lang].format((day + 3) * dayMs)

function inFrench(parts: Parts): string | null {
  if (parts === null) return null
  const { interval } = parts
  if (parts.each === 'day') return interval === 1 ? 'chaque jour' : `tous les ${interval} jours`
  if (parts.each === 'week') {
    const names = parts.days.map((day) => nameOf(day, 'fr'))
    if (interval === 1) return `chaque ${lists.fr.format(names)}`
    if (interval === 2 && names.length === 1) return `un ${names[0]} sur deux`
    return `${lists.fr.format(names.map((name) => `le ${name}`))}, une semaine sur ${interval}`
  }
  const which =
    'monthDays' in parts
      ? lists.fr.format(
          parts.monthDays.map((day) =>
            day === -1
              ? 'le dernier jour'
              : day < 0
                ? `le ${-day}e jour avant la fin`
                : `le ${day === 1 ? '1er' : day}`,
          ),
        )
      : `${lists.fr.format(parts.positions.map((place) => `le ${ordinals.fr[place]}`))} ${nameOf(parts.day, 'fr')}`
  return interval === 1 ? `${which} du mois` : `${which} du mois, tous les ${interval} mois`
}

function inEnglish(parts: Parts): string | null {
  if (parts === null) return null
  const { interval } = parts
  if (parts.each === 'day') return interval === 1 ? 'every day' : `every ${interval} days`
  if (parts.each === 'week') {
    const names = lists.en.format(parts.days.map((day) => nameOf(day, 'en')))
    return interval === 1 ? `every ${names}` : `on ${names}, every ${interval} weeks`
  }
  const which =
    'monthDays' in parts
      ? lists.en.format(
          parts.monthDays.map((day) =>
            day === -1 ? 'on the last day' : day < 0 ? `on day ${-day} from the end` : `on day ${day}`,
          ),
        )
      : `on the ${lists.en.format(parts.positions.map((place) => ordinals.en[place] ?? ''))} ${nameOf(parts.day, 'en')}`
  return interval === 1 ? `${which} of the month` : `${which}, every ${interval} months`
}

const days = {
  fr: new Intl.DateTimeFormat('fr', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' }),
  en: new Intl.DateTimeFormat('en', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' }),
}

/** `Chaque samedi, 30 dates jusqu’au 26 juin 2027`; empty for a series that cannot be. */
export function seriesInWords(recurrence: Recurrence, first: string, lang: Lang): string {
  const jours = daysOrNone(recurrence, first)
  const last = jours.at(-1)
  if (last === undefined) return ''
  const rule = ruleInWords(recurrence.regle, first, lang)
  const until = days[lang].format(Date.parse(last))
  const count =
    lang === 'fr' ? `${jours.length} dates jusqu’au ${until}` : `${jours.length} dates until ${until}`
  return rule === null ? count : `${rule.charAt(0).toUpperCase()}${rule.slice(1)}, ${count}`
}

/** Lists the days of a series; none of one that cannot be, such as one that is being typed. */
export function daysOrNone(recurrence: Recurrence, first: string): string[] {
  if (Number.isNaN(Date.parse(first))) return []
  try {
    return joursOf(recurrence, first)
  } catch (error) {
    if (error instanceof Refused) return []
    throw error
  }
}

/** Leaves out what is said of single dates that the rule does not have, or moves them to one that it has. */
export function withKnownDates(recurrence: Recurrence, first: string): Recurrence {
  const { exceptions, ajouts, occurrences } = recurrence
  const ruled = new Set(daysOrNone({ ...recurrence, exceptions: [], ajouts: [], occurrences: [] }, first))
  if (ruled.size === 0) return recurrence
  const added = ajouts.filter((day) => !ruled.has(day))
  const left = exceptions.filter((day) => ruled.has(day))
  const kept = new Set([...ruled, ...added].filter((day) => !left.includes(day)))
  return {
    ...recurrence,
    ...{ exceptions: left, ajouts: added },
    occurrences: occurrences.filter(
      ({ date, reportee_au }) => kept.has(date) && (reportee_au === null || !kept.has(reportee_au)),
    ),
  }
}

const codes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Lists the rhythms that a first day suggests, by what they have in common for other first days. */
export function rhythmsOf(first: string): Record<string, string> {
  const date = new Date(first)
  const day = date.getUTCDate()
  const left = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate() - day
  const code = codes[date.getUTCDay()] ?? ''
  const place = Math.ceil(day / 7)
  return {
    weekly: `FREQ=WEEKLY;BYDAY=${code}`,
    fortnightly: `FREQ=WEEKLY;INTERVAL=2;BYDAY=${code}`,
    ...(place < 5 && { monthly: `FREQ=MONTHLY;BYDAY=${place}${code}` }),
    ...(left < 7 && { last: `FREQ=MONTHLY;BYDAY=-1${code}` }),
    ...(left === 0 ? { end: 'FREQ=MONTHLY;BYMONTHDAY=-1' } : { date: `FREQ=MONTHLY;BYMONTHDAY=${day}` }),
    daily: 'FREQ=DAILY',
  }
}

/** Splits a rule into its rhythm and its last day, which one with a number of dates has too. */
export function splitRule(regle: string, first: string): { rhythm: string; until: string } {
  const parts = regle.split(';')
  const rhythm = parts.filter((part) => !/^(?:UNTIL|COUNT)=/.test(part)).join(';')
  const once = { exceptions: [], ajouts: [], occurrences: [] }
  return { rhythm, until: untilOf(regle) ?? daysOrNone({ ...once, regle }, first).at(-1) ?? '' }
}

export const ruleUntil = (rhythm: string, until: string) => `${rhythm};UNTIL=${until.replaceAll('-', '')}`

/** Half a year, which people lengthen more willingly than they take dates back. */
const usualMonths = 6

/** Returns the series of a rhythm from a day on. */
export function seriesOf(rhythm: string, first: string, until = ''): Recurrence {
  const date = new Date(first)
  const usual = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + usualMonths, date.getUTCDate()))
  const isLater = until > first && until <= lastAllowed(first)
  return {
    regle: ruleUntil(rhythm, isLater ? until : usual.toISOString().slice(0, 10)),
    ...{ exceptions: [], ajouts: [], occurrences: [] },
  }
}

/** Gives a series another rhythm from a day on. What is said of single dates stays: `withKnownDates` leaves out the rest. */
export function inRhythm(recurrence: Recurrence | null, rhythm: string, first: string): Recurrence {
  if (recurrence === null) return seriesOf(rhythm, first)
  const { regle } = seriesOf(rhythm, first, splitRule(recurrence.regle, first).until)
  return { ...recurrence, regle }
}

/** Moves a series to another first day in the same rhythm. A year that is being typed changes nothing. */
export function movedTo(first: string, recurrence: Recurrence): Recurrence {
  const { rhythm } = splitRule(recurrence.regle, first)
  const next = Object.values(rhythmsOf(first)).find((one) => shapeOf(one) === shapeOf(rhythm))
  return first < '2000' || next === undefined || next === rhythm
    ? recurrence
    : inRhythm(recurrence, next, first)
}

/** A rhythm without the day that it names. */
const shapeOf = (rhythm: string) => rhythm.replace(/(DAY=-?)\d*(?:[A-Z]{2})?$/, '$1')
