import { fold } from '../../../platform/formats/text.ts'
import { kindOfName } from '../reading/cells.ts'
import { readListedDays } from './listed-days.ts'
import { type Day, readMarkedDays } from './marked-days.ts'
import { dayNumber } from './months.ts'
import { heightOf, linesOf, monthNumber, type Sheet } from './sheet.ts'

export const unreadableCodes = [
  'damaged',
  'password',
  'picture',
  'no_date',
  'no_mark',
  'no_name',
  'too_much',
] as const
/** Why nothing can be proposed. `picture`: without text; `no_mark`: no day has a mark that the legend explains. */
export type Unreadable = (typeof unreadableCodes)[number]

export const noteCodes = ['year_assumed', 'weekdays_differ', 'months_missing', 'dates_without_name'] as const
export type Note = (typeof noteCodes)[number]

/** What a PDF seems to say. Somebody has to confirm it. */
export type Proposal = {
  du: string
  au: string
  collectes: { type_dechet: string; libelle: string; dates: string[] }[]
  notes: Note[]
}
export type ReadPdf = { proposal: Proposal } | { unreadable: Unreadable }

/** The most collections and dates: more than any calendar of one commune has. */
const maxCollectes = 20
const maxDates = 400

/** Reads the sheets of a calendar: days with marks, else lists of dates. */
export function readSheets(sheets: readonly Sheet[], today: string): ReadPdf {
  if (sheets.every(({ words }) => words.length === 0)) return { unreadable: 'picture' }
  const { yearOf, isAssumed } = yearsOf(sheets, today)
  const marked = readMarkedDays(sheets, yearOf)
  const listed = marked.days.length > 0 ? { days: [], without: 0 } : readListedDays(sheets, yearOf)
  const collectes = collectesOf([...marked.days, ...listed.days])
  if (collectes.length === 0)
    return { unreadable: marked.months > 0 ? 'no_mark' : listed.without > 0 ? 'no_name' : 'no_date' }
  if (collectes.length > maxCollectes || collectes.some(({ dates }) => dates.length > maxDates))
    return { unreadable: 'too_much' }
  const all = collectes.flatMap(({ dates }) => dates).sort()
  const notes: Record<Note, boolean> = {
    year_assumed: isAssumed,
    weekdays_differ: marked.weekdays.wrong > marked.weekdays.right,
    months_missing: marked.days.length > 0 && marked.months < headingsIn(sheets),
    dates_without_name: listed.without > 0,
  }
  return {
    proposal: {
      ...{ du: all[0] ?? today, au: all.at(-1) ?? today, collectes },
      notes: noteCodes.filter((note) => notes[note]),
    },
  }
}

function collectesOf(days: readonly Day[]): Proposal['collectes'] {
  const two = (number: number) => String(number).padStart(2, '0')
  return [...Map.groupBy(days, ({ name }) => fold(name)).values()].map((own) => {
    const libelle = own[0]?.name ?? ''
    const dates = new Set(own.map(({ year, month, day }) => `${year}-${two(month)}-${two(day)}`))
    return { type_dechet: kindOfName(libelle), libelle, dates: [...dates].sort() }
  })
}

/** How many months a calendar names, each once. */
const headingsIn = (sheets: readonly Sheet[]) => new Set(monthsNamed(sheets)).size

const monthsNamed = (sheets: readonly Sheet[]) =>
  sheets.flatMap(({ words }) =>
    linesOf(words).flatMap((line) =>
      line.flatMap(({ text }, index) => {
        const month = monthNumber(text)
        return month === null || dayNumber(line[index - 1]?.text ?? '') !== null ? [] : [month]
      }),
    ),
  )

/**
 * Returns the year of each month: the one that is written largest. If the months go over a new year, those before the first
 * one are of the next. Without any, it is the year in which a calendar of these weeks is used.
 */
function yearsOf(sheets: readonly Sheet[], today: string) {
  const written = sheets
    .flatMap(({ words }) =>
      words.flatMap((word) =>
        [...word.text.matchAll(/20\d\d/g)].map(([year]) => ({ year: Number(year), height: heightOf(word) })),
      ),
    )
    .filter(({ year }) => Math.abs(year - Number(today.slice(0, 4))) <= 2)
    .toSorted((a, b) => b.height - a.height)
  const assumed = new Date(Date.parse(today) + 45 * 86_400_000).getUTCFullYear()
  const months = monthsNamed(sheets)
  const [first = 1] = months
  const largest = written
    .filter(({ height }) => height > (written[0]?.height ?? 0) - 1)
    .map(({ year }) => year)
  const begin = Math.min(...largest)
  const goesOver = months.some((month) => month < first)
  return {
    isAssumed: written.length === 0,
    yearOf: (month: number) => {
      const year = written.length === 0 ? assumed : goesOver ? begin : (largest[0] ?? assumed)
      return goesOver && month < first ? year + 1 : year
    },
  }
}
