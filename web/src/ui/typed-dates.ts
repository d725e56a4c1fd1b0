const months = [
  ['janv', 'jan'],
  ['fevr', 'fev', 'feb'],
  ['mars', 'mar'],
  ['avr', 'apr'],
  ['mai', 'may'],
  ['juin', 'jun'],
  ['juil', 'jul'],
  ['aout', 'aug'],
  ['sept', 'sep'],
  ['oct'],
  ['nov'],
  ['dec'],
]

const numbers = /\b(?:(\d{4})-(\d{2})-(\d{2})|(\d{1,2})[/.](\d{1,2})(?:[/.](\d{2,4}))?)\b/g
const words = /\b(\d{1,2})(?:er)?\s+([a-z]{3,9})\.?(?:\s+(\d{4}))?/g

/** Words for days: the weekdays from Sunday on, then those at a distance from today. */
const dayWords = {
  fr: {
    weekdays: ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi'],
    near: { hier: -1, "aujourd'hui": 0, demain: 1 },
  },
  en: {
    weekdays: ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'],
    near: { yesterday: -1, today: 0, tomorrow: 1 },
  },
}
export type DayLanguage = keyof typeof dayWords

/** Letters that name a day: fewer could be the beginning of another. */
const shortest = 3
const dayMs = 86_400_000

/**
 * Reads one day as people type or paste it: "sam", "demain", "12/12", "12 décembre 2026". A weekday is the next one after
 * today, a date without a year the next from today on; with `isPast`, the latest. Null if the text names no day, or several.
 */
export function dayTyped(text: string, today: string, language: DayLanguage, isPast = false): string | null {
  const plain = plainOf(text).trim()
  const { weekdays, near } = dayWords[language]
  if (plain.length >= shortest) {
    const distance = Object.entries(near).find(([word]) => word.startsWith(plain))?.[1]
    if (distance !== undefined) return daysAfter(today, distance)
    const weekday = weekdays.findIndex((word) => word.startsWith(plain))
    if (weekday >= 0) {
      const from = new Date(today).getUTCDay()
      const ahead = (weekday - from + 7) % 7 || 7
      return daysAfter(today, isPast ? ahead - 7 || -7 : ahead)
    }
  }
  const [only, ...others] = datesIn(text, today, isPast)
  return only === undefined || others.length > 0 ? null : only
}

/** Reads a time as people write it, as `HH:MM`: "10h", "10 h 30", "10:30", "1030". Null if the text is no time. */
export function timeTyped(text: string): string | null {
  const [, hour, minute = '00'] = /^\s*([01]?\d|2[0-3])\s*[h:]?\s*([0-5]\d)?\s*$/i.exec(text) ?? []
  return hour === undefined ? null : `${hour.padStart(2, '0')}:${minute}`
}

/** Whether letters can become the word for a day. */
export function beginsDay(letters: string, language: DayLanguage): boolean {
  const { weekdays, near } = dayWords[language]
  return [...weekdays, ...Object.keys(near)].some((word) => word.startsWith(plainOf(letters)))
}

const plainOf = (text: string) =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase()

const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/**
 * Reads the dates of a text, as town halls have them in tables and mails: "12/12", "12.12.2026", "2026-12-12", "1er décembre".
 * A date without a year is the next such day from `today` on, or the latest until then. Returns them in order, each once.
 */
export function datesIn(text: string, today: string, isPast = false): string[] {
  const plain = plainOf(text)
  const found = [
    ...[...plain.matchAll(numbers)].map(([, year, month, day, d, m, y]) =>
      year ? dayOf(year, month, day) : dated(y, m, d, today, isPast),
    ),
    ...[...plain.matchAll(words)].map(([, day, name = '', year]) => {
      const month = months.findIndex((beginnings) => beginnings.some((one) => name.startsWith(one)))
      return month < 0 ? null : dated(year, String(month + 1), day, today, isPast)
    }),
  ]
  return [...new Set(found.filter((date) => date !== null))].sort()
}

function dated(year = '', month = '', day = '', today = '', isPast = false): string | null {
  if (year !== '') return dayOf(year.length === 2 ? `20${year}` : year, month, day)
  const thisYear = Number(today.slice(0, 4))
  // The 29th of February is at most eight years away.
  const years = Array.from({ length: 9 }, (_, index) => thisYear + (isPast ? -index : index))
  const days = years.map((each) => dayOf(String(each), month, day)).filter((date) => date !== null)
  return days.find((date) => (isPast ? date <= today : date >= today)) ?? null
}

/** Null for a day that does not exist. */
function dayOf(year = '', month = '', day = ''): string | null {
  const date = `${year.padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const at = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date) ? date : null
}
