import { fold } from '../../../platform/formats/text.ts'
import {
  type Box,
  heightOf,
  linesOf,
  median,
  middleX,
  middleY,
  monthNumber,
  type Sheet,
  type Word,
  yearNumber,
} from './sheet.ts'

/** A month whose days stand on a sheet, each with its cell; `year`: as it is written beside its name. */
export type Month = { sheet: Sheet; month: number; year: number | null; cells: Map<number, Box> }

type Heading = Word & { month: number; year: number | null }
type Region = Box & { heading: Heading }

/** Finds the months of a sheet of which each day has one number; a month of which one is missing is none. */
export function monthsOn(sheet: Sheet, yearOf: (month: number) => number): Month[] {
  const rows = linesOf(headingsOf(sheet))
  return rows.flatMap((row, index) => {
    const next = rows[index + 1]?.[0]
    const found = [fromLeft, fromMiddle].map((cut) =>
      cut(row, sheet.width).flatMap((region) =>
        monthIn(sheet, { ...region, y1: next?.y0 ?? sheet.height }, yearOf),
      ),
    )
    // Names stand above the left edge of their column, or above its middle: the way that reads more months is right, and
    // of two the one in which weekdays stand before their numbers.
    const score = (months: Month[]) =>
      months.reduce(
        (sum, month) => sum + 100 + [...month.cells.values()].filter((box) => hasWeekday(sheet, box)).length,
        0,
      )
    return found.toSorted((a, b) => score(b) - score(a))[0] ?? []
  })
}

/** Lists the names of months that are no part of a date. */
function headingsOf({ words }: Sheet): Heading[] {
  return linesOf(words).flatMap((line) =>
    line.flatMap((word, index) => {
      const month = monthNumber(word.text)
      const before = line[index - 1]
      const isDate = before !== undefined && dayNumber(before.text) !== null && isNear(before, word)
      if (month === null || isDate) return []
      const after = line[index + 1]
      return [{ ...word, month, year: after && isNear(word, after) ? yearNumber(after.text) : null }]
    }),
  )
}

const isNear = (left: Word, right: Word) => right.x0 - left.x1 < heightOf(right)

const pitchOf = (numbers: number[], single: number) =>
  numbers.length < 2 ? single : median(numbers.slice(1).map((one, index) => one - (numbers[index] ?? 0)))

const edge = 4

function fromLeft(row: Heading[], width: number): Region[] {
  const lefts = row.map(({ x0 }) => x0 - edge)
  const pitch = pitchOf(lefts, width)
  return row.map((heading, index) => ({
    heading,
    ...{
      x0: row.length === 1 ? 0 : (lefts[index] ?? 0),
      x1: lefts[index + 1] ?? (lefts[index] ?? 0) + pitch,
    },
    ...{ y0: heading.y1, y1: 0 },
  }))
}

function fromMiddle(row: Heading[], width: number): Region[] {
  const middles = row.map(middleX)
  const half = pitchOf(middles, 2 * width) / 2
  const between = (one = 0, other = 0) => (one + other) / 2
  return row.map((heading, index) => {
    const middle = middles[index] ?? 0
    return {
      heading,
      x0: index === 0 ? middle - half : between(middles[index - 1], middle),
      x1: index === row.length - 1 ? middle + half : between(middle, middles[index + 1]),
      ...{ y0: heading.y1, y1: 0 },
    }
  })
}

function monthIn(sheet: Sheet, region: Region, yearOf: (month: number) => number): Month[] {
  const { month, year } = region.heading
  const inside = sheet.words.filter((word) => isInside(word, region))
  const days = daysIn(
    linesOf(inside).flat(),
    new Date(Date.UTC(year ?? yearOf(month), month, 0)).getUTCDate(),
  )
  return days === null ? [] : [{ sheet, month, year, cells: cellsOf(days, region) }]
}

export const isInside = (word: Box, box: Box) =>
  middleX(word) >= box.x0 && middleX(word) < box.x1 && middleY(word) >= box.y0 && middleY(word) < box.y1

/** Returns the words of a cell from left to right. */
export const wordsIn = ({ words }: Sheet, box: Box): Word[] =>
  words.filter((word) => isInside(word, box)).toSorted((a, b) => a.x0 - b.x0)

const hasWeekday = (sheet: Sheet, box: Box) => isWeekday(wordsIn(sheet, box)[0]?.text ?? '')

const weekdays = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche']

/** Returns whether a word is a weekday, whole or cut short. */
export const isWeekday = (text: string) => {
  const word = fold(text)
  return word !== '' && weekdays.some((day) => day.startsWith(word))
}

/** Returns the day that a word is: `3`, `03`, `1er` or `L3`. */
export function dayNumber(text: string): number | null {
  const [, before = '', day] = /^(\p{L}{0,3})\.?(0?[1-9]|[12]\d|3[01])(?:er)?\.?$/u.exec(text) ?? []
  return day === undefined || (before !== '' && !isWeekday(before)) ? null : Number(day)
}

/** Finds the numbers from 1 to the last in the order of reading; other numbers, such as those of weeks, stand between. */
function daysIn(words: Word[], last: number): Word[] | null {
  const numbers = words.map(({ text }) => dayNumber(text))
  let at = -1
  for (let day = 1; day <= last; day++) {
    at = numbers.indexOf(day, at + 1)
    if (at === -1) return null
  }
  const days: Word[] = []
  for (let day = last; day >= 1; day--) {
    days.unshift(words[at] as Word)
    at = numbers.lastIndexOf(day - 1, at - 1)
  }
  return days
}

/** Parts of the way to the next day that belong to a cell: its lines and what bleeds over them do not. */
const share = 0.42

function cellsOf(days: Word[], region: Box): Map<number, Box> {
  const lefts = days.map(({ x0 }) => x0)
  const steps = days.slice(1).map((day, index) => ({
    right: middleX(day) - middleX(days[index] as Word),
    down: middleY(day) - middleY(days[index] as Word),
  }))
  const isColumn = Math.max(...lefts) - Math.min(...lefts) < 2 * median(days.map(heightOf))
  const down = share * median(steps.map((step) => step.down).filter((step) => isColumn || step > 2))
  const right = share * median(steps.map((step) => step.right).filter((step) => step > 2))
  return new Map(
    days.map((day, index) => [
      index + 1,
      {
        x0: isColumn ? region.x0 : middleX(day) - right,
        x1: isColumn ? region.x1 : middleX(day) + right,
        ...{ y0: middleY(day) - down, y1: middleY(day) + down },
      },
    ]),
  )
}
