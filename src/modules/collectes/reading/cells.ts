import { fold } from '../../../platform/formats/text.ts'
import { daysLater, isRealDay } from '../../../platform/time/days.ts'
import { JOURS, type Rang } from '../../communes/calendar.ts'
import { wasteCodes } from '../../communes/fields.ts'

/** What people write into the cells of a table of collections. Each function returns null for what it cannot read. */

type Jour = (typeof JOURS)[number]

/** Reads weekdays, such as `lundi, jeudi`, `Lun./Jeu.` or `mardis et vendredis`. */
export function joursIn(text: string): Jour[] | null {
  const found = wordsOf(text)
    .filter((word) => !fillers.has(word))
    .map((word) => JOURS.find((jour) => word.length >= 2 && jour.startsWith(word.replace(/s$/, ''))))
  return found.includes(undefined) ? null : [...new Set(found as Jour[])]
}

const fillers = new Set(['et', 'le', 'les', 'ou'])
const wordsOf = (text: string) => fold(text).split(' ').filter(Boolean)

/** Every so many weeks, from the first even or odd one, or once a month. */
export type Rhythm = { every: number; rang: Rang | null; parity: 0 | 1 | null }

/** Reads a rhythm: `toutes`, `paires`, `impaires`, `2`, `1/2`, `1 semaine sur 2`, `1er du mois`, `dernier`. */
export function rhythmOf(text: string): Rhythm | null {
  const words = wordsOf(text).filter((word) => !/^(semaines?|les?|la|une|du|de|mois)$/.test(word))
  const said = words.map((word) => numbers[word] ?? word).join(' ')
  const rang = rangs[said]
  if (rang !== undefined) return { every: 1, rang, parity: null }
  if (said === '' || /^(toutes?|chaque|hebdomadaire)$/.test(said))
    return { every: 1, rang: null, parity: null }
  if (/^impaires?$/.test(said)) return { every: 2, rang: null, parity: 1 }
  if (/^paires?$/.test(said)) return { every: 2, rang: null, parity: 0 }
  const [, number] = /^(?:(?:1 )?(?:sur )?|toutes |chaque )(\d{1,2})$/.exec(said) ?? []
  const every = Number(number)
  return every >= 1 && every <= 52 ? { every, rang: null, parity: null } : null
}

const numbers: Record<string, string> = { deux: '2', trois: '3', quatre: '4' }
const rangs: Record<string, Rang> = {
  ...{ '1er': 1, '1ere': 1, premier: 1, '2e': 2, '2eme': 2, deuxieme: 2, '3e': 3, '3eme': 3, troisieme: 3 },
  ...{ '4e': 4, '4eme': 4, quatrieme: 4, dernier: -1 },
}

/** The words of `rhythmOf` for what is stored. */
export const rhythmInWords = ({ every, rang }: Pick<Rhythm, 'every' | 'rang'>): string =>
  rang === null
    ? every === 1
      ? 'toutes'
      : String(every)
    : `${rang === -1 ? 'dernier' : rang === 1 ? '1er' : `${rang}e`} du mois`

const written = String.raw`(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d{2}))`

/** Reads one date: `2027-01-05`, `05/01/2027` or `5.1.27`; with a time of midnight, as spreadsheets write. */
export function dateOf(text: string): string | null {
  const found = new RegExp(`^${written}(?:[ T]00:00(?::00)?)?$`).exec(text.trim())
  return found && dayOf(found)
}

function dayOf([, year, month, day, dayFirst, monthNext, yearLast]: RegExpExecArray | RegExpMatchArray):
  | string
  | null {
  const whole = year ?? (yearLast?.length === 2 ? `20${yearLast}` : yearLast)
  const two = (number = '') => number.padStart(2, '0')
  const date = `${whole}-${two(month ?? monthNext)}-${two(day ?? dayFirst)}`
  return isRealDay(date) ? date : null
}

/** Reads dates between commas, semicolons, spaces or lines; each once. */
export function datesIn(text: string): string[] | null {
  const dates = text
    .split(/[,;|\s]+/)
    .filter(Boolean)
    .map(dateOf)
  return dates.includes(null) ? null : [...new Set(dates as string[])]
}

type Exception = { date: string; reportee_au: string | null }

/** Reads exceptions: `25/12/2026 > 26/12/2026` moves a round, `01/01/2027` drops it; a few words may stand between. */
export function exceptionsIn(text: string): Exception[] | null {
  const parts = text.split(/[,;|\n]+/).filter((part) => part.trim() !== '')
  const found = parts.map((part): Exception | null => {
    const dates = [...part.matchAll(new RegExp(written, 'g'))].map(dayOf)
    const [date = null, reportee_au = null] = dates
    const rest = part.replaceAll(new RegExp(written, 'g'), '')
    const isRead = date !== null && dates.length <= 2 && !dates.includes(null) && !/\d/.test(rest)
    return isRead ? { date, reportee_au } : null
  })
  return found.includes(null) ? null : (found as Exception[])
}

export const exceptionInWords = ({ date, reportee_au }: Exception): string =>
  reportee_au === null ? date : `${date} > ${reportee_au}`

/**
 * Returns from when, and with which dates before, a round takes place in even or odd weeks. After a year of 53 weeks two odd
 * weeks follow each other, so the rhythm begins anew: rounds before that are dates.
 */
export function inWeeksOf(parity: 0 | 1, jours: readonly Jour[], from: string) {
  const dates: string[] = []
  let monday = daysLater(from, -weekdayOf(from))
  if (weekNumber(monday) % 2 !== parity) monday = daysLater(monday, 7)
  for (let week = 0; week < 26; week++) {
    const next = daysLater(monday, 14 * week)
    if (weekNumber(next) % 2 === parity) continue
    const rounds = Array.from({ length: week }, (_, index) => daysLater(monday, 14 * index)).flatMap((of) =>
      jours.map((jour) => daysLater(of, JOURS.indexOf(jour))),
    )
    dates.push(...rounds.filter((date) => date >= from).sort())
    // Of two odd weeks in a row, the second has a round too.
    const isNextTo = weekNumber(daysLater(next, -7)) % 2 === parity
    return { dates, a_partir_du: daysLater(next, isNextTo ? -7 : 7) }
  }
  return { dates, a_partir_du: monday < from ? from : monday }
}

const weekdayOf = (day: string) => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

/** Returns the number of a week by its Monday, as calendars print it (ISO 8601). */
function weekNumber(monday: string): number {
  const thursday = daysLater(monday, 3)
  const first = `${thursday.slice(0, 4)}-01-01`
  return Math.floor((Date.parse(thursday) - Date.parse(first)) / 604_800_000) + 1
}

/** Returns the code of a kind of waste that is written in words; any other text is a kind too. */
export const kindOf = (text: string): string =>
  wasteCodes.find((code) => fold(code) === fold(text)) ?? text.trim()

/** Guesses the kind from what a collection is called; the name itself if nothing tells. */
export const kindOfName = (name: string): string =>
  knownKindOf(name) ?? [...name.trim()].slice(0, 50).join('')

/** Guesses the kind from words; null if nothing tells. */
export const knownKindOf = (name: string): string | null =>
  guesses.find(([, sign]) => sign.test(fold(name)))?.[0] ?? null

const guesses: [string, RegExp][] = [
  ['biodechets', /biodechet|alimentaire|organique/],
  ['dechets_verts', /dechets? verts?|vegeta/],
  ['encombrants', /encombrant/],
  ['verre', /verre/],
  ['papier', /papier/],
  ['emballages', /emballage|recycl|\btri\b|jaune/],
  ['ordures_menageres', /ordure|menager|\bomr?\b/],
]
