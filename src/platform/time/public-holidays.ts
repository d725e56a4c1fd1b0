/**
 * Returns whether a day is a public holiday in at least some communes of a département. Months count from 1.
 */
export function isPublicHoliday(departement: string, year: number, month: number, day: number): boolean {
  const date = month * 100 + day
  if (everywhere.has(date) || (own[departement]?.has(date) ?? false)) return true
  const fromEaster = daysFromEaster(year, month, day)
  // Easter Monday, Ascension, Whit Monday.
  return [1, 39, 50].includes(fromEaster) || (fromEaster === goodFriday && withGoodFriday.has(departement))
}

/**
 * Returns whether a public holiday applies only in some communes of the département: in Alsace-Moselle, Good
 * Friday where there is a Protestant church; in Guadeloupe and Martinique, by custom.
 */
export function isLocalHoliday(departement: string, year: number, month: number, day: number): boolean {
  return daysFromEaster(year, month, day) === goodFriday && partlyGoodFriday.has(departement)
}

/** Fixed holidays by month and day: 714 is 14 July. */
const everywhere = new Set([101, 501, 508, 714, 815, 1101, 1111, 1225])

/** Abolition of slavery overseas, the second Christmas day of Alsace-Moselle, and the days of the territories. */
const own: Record<string, ReadonlySet<number>> = {
  '57': new Set([1226]),
  '67': new Set([1226]),
  '68': new Set([1226]),
  '971': new Set([527]),
  '972': new Set([522]),
  '973': new Set([610]),
  '974': new Set([1220]),
  '976': new Set([427]),
  '977': new Set([1009]),
  '978': new Set([528]),
  '986': new Set([428, 729]),
  '987': new Set([305, 1120]),
  '988': new Set([924]),
}
const goodFriday = -2
const partlyGoodFriday = new Set(['57', '67', '68', '971', '972'])
const withGoodFriday = new Set([...partlyGoodFriday, '987'])

const daysFromEaster = (year: number, month: number, day: number) =>
  (Date.UTC(year, month - 1, day) - easter(year)) / 86_400_000

/** Easter Sunday of the Gregorian calendar, by Meeus. */
function easter(year: number): number {
  const a = year % 19
  const century = Math.floor(year / 100)
  const rest = year % 100
  const f = Math.floor((century + 8) / 25)
  const g = Math.floor((century - f + 1) / 3)
  const h = (19 * a + century - Math.floor(century / 4) - g + 15) % 30
  const l = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - h - (rest % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const inYear = h + l - 7 * m + 114
  return Date.UTC(year, Math.floor(inYear / 31) - 1, (inYear % 31) + 1)
}
