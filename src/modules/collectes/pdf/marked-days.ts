import { fold } from '../../../platform/formats/text.ts'
import { knownKindOf } from '../reading/cells.ts'
import { type Entry, legendOf, sameColour } from './legend.ts'
import { dayNumber, isInside, isWeekday, type Month, monthsOn, wordsIn } from './months.ts'
import { type Box, colourAt, distance, isKind, nameIn, type Sheet, type Word } from './sheet.ts'

/** A day of a collection as a calendar has it. */
export type Day = { name: string; year: number; month: number; day: number }

type Read = {
  days: Day[]
  months: number
  /** How many weekdays that stand beside numbers are right, and how many are not. */
  weekdays: { right: number; wrong: number }
}

/** The part of a cell that a colour covers at least. */
const minShare = 0.06
/** A colour of more days than these is that of the paper or of all working days. */
const maxDayShare = 0.6

/** Reads calendars whose days are marked with the colours, letters or words of a legend. */
export function readMarkedDays(sheets: readonly Sheet[], yearOf: (month: number) => number): Read {
  const months = sheets.flatMap((sheet) => monthsOn(sheet, yearOf))
  const legend = legendOf(
    sheets.map((sheet) => {
      const boxes = months.flatMap((month) => (month.sheet === sheet ? [...month.cells.values()] : []))
      return { sheet, outside: sheet.words.filter((word) => !boxes.some((box) => isInside(word, box))) }
    }),
  )
  const days: Day[] = []
  const weekdays = { right: 0, wrong: 0 }
  for (const { sheet, month, year: written, cells } of months)
    for (const [day, box] of cells) {
      const year = written ?? yearOf(month)
      const words = wordsIn(sheet, box)
      for (const name of new Set([...coloursIn(sheet, box, legend), ...marksIn(words, legend)]))
        days.push({ name, year, month, day })
      const letter = weekdayIn(words)
      if (letter !== null) weekdays[letter === weekdayOf(year, month, day)[0] ? 'right' : 'wrong']++
    }
  return { days: withoutGrounds(days, months), months: months.length, weekdays }
}

/** Names whose colour covers a part of a cell. */
function coloursIn(sheet: Sheet, box: Box, legend: readonly Entry[]): string[] {
  const counts = legend.map(() => 0)
  let all = 0
  for (let y = Math.ceil(box.y0); y < box.y1; y++)
    for (let x = Math.ceil(box.x0) + 1; x < box.x1 - 1; x++) {
      all++
      const colour = colourAt(sheet, x, y)
      for (const [index, entry] of legend.entries())
        if (entry.colour !== null && distance(entry.colour, colour) < sameColour / 2)
          counts[index] = (counts[index] ?? 0) + 1
    }
  return legend.flatMap(({ name }, index) => ((counts[index] ?? 0) > minShare * all ? [name] : []))
}

/** Names whose letters or words stand in a cell. */
function marksIn(words: readonly Word[], legend: readonly Entry[]): string[] {
  const texts = words.filter(
    ({ text }, index) => dayNumber(text) === null && !(index === 0 && isWeekday(text)),
  )
  const marks = texts.flatMap(({ text }) => legend.filter(({ mark }) => mark === text.toLowerCase()))
  if (marks.length > 0) return marks.map(({ name }) => name)
  const written = texts.map(({ text }) => text).join(' ')
  if (!isKind(written)) return []
  const kind = knownKindOf(written)
  const known = legend.find(
    ({ name }) => fold(name) === fold(written) || (kind !== null && knownKindOf(name) === kind),
  )
  return [known?.name ?? nameIn(written)]
}

/** Returns the first letter of the weekday beside a number. */
function weekdayIn(words: readonly Word[]): string | null {
  const [first, second] = words
  if (first === undefined) return null
  const [, joined] = /^(\p{L}{1,3})\d/u.exec(first.text) ?? []
  const text = joined ?? (second !== undefined && dayNumber(second.text) !== null ? first.text : '')
  return text !== '' && isWeekday(text) ? (fold(text)[0] ?? null) : null
}

const weekdayOf = (year: number, month: number, day: number) =>
  ['dimanche', 'lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi'][
    new Date(Date.UTC(year, month - 1, day)).getUTCDay()
  ] as string

function withoutGrounds(days: readonly Day[], months: readonly Month[]): Day[] {
  const all = months.reduce((sum, { cells }) => sum + cells.size, 0)
  const byName = Map.groupBy(days, ({ name }) => name)
  return [...byName.values()].filter((own) => own.length <= maxDayShare * all).flat()
}
