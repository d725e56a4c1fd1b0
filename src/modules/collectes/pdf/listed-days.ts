import { fold } from '../../../platform/formats/text.ts'
import type { Day } from './marked-days.ts'
import { isWeekday } from './months.ts'
import {
  type Box,
  heightOf,
  isKind,
  linesOf,
  monthNumber,
  monthWords,
  nameIn,
  type Segment,
  type Sheet,
  segmentsOf,
} from './sheet.ts'

/** The end of what stands at the top or bottom of a sheet across its columns. */
const maxLinesAcross = 20
const gutter = 1.5

/** Reads calendars that list dates: `Bac jaune : 3, 17 janvier`, or numbers below the names of months. */
export function readListedDays(sheets: readonly Sheet[], yearOf: (month: number) => number) {
  const days: Day[] = []
  let without = 0
  for (const sheet of sheets) {
    const reading: Reading = { name: null, month: null, year: null }
    for (const { text } of inReadingOrder(linesOf(segmentsOf(sheet.words))))
      for (const { month, day, year } of datesOf(text, reading)) {
        const date = { year: year ?? yearOf(month), month, day }
        if (reading.name === null) without++
        else if (isReal(date)) days.push({ name: reading.name, ...date })
      }
  }
  return { days, without }
}

const isReal = ({ year, month, day }: { year: number; month: number; day: number }) =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day

/** Returns segments column by column: below and above lines that go across all of them. */
function inReadingOrder(lines: Segment[][]): Segment[] {
  const count = lines.length
  for (let left = 0; left <= Math.min(2 * maxLinesAcross, count - 2); left++)
    for (let top = Math.max(0, left - maxLinesAcross); top <= Math.min(left, maxLinesAcross); top++) {
      const body = lines.slice(top, count - (left - top))
      const columns = columnsOf(body.flat())
      if (body.length < 2 || columns.length < 2) continue
      return [
        ...lines.slice(0, top).flat(),
        ...columns.flatMap((column) => inReadingOrder(linesOf(column))),
        ...lines.slice(count - (left - top)).flat(),
      ]
    }
  return lines.flat()
}

/** Cuts segments into columns where a gap goes from top to bottom. */
function columnsOf(segments: readonly Segment[]): Segment[][] {
  const columns: (Pick<Box, 'x1'> & { segments: Segment[] })[] = []
  for (const segment of segments.toSorted((a, b) => a.x0 - b.x0)) {
    const last = columns.at(-1)
    if (last !== undefined && segment.x0 - last.x1 < gutter * heightOf(segment)) {
      last.segments.push(segment)
      last.x1 = Math.max(last.x1, segment.x1)
    } else columns.push({ x1: segment.x1, segments: [segment] })
  }
  return columns.map((column) => column.segments)
}

type Reading = { name: string | null; month: number | null; year: number | null }
type Date_ = { day: number; month: number; year: number | null }

const monthPattern = String.raw`(?<![a-z])(?:${monthWords.toSorted((a, b) => b.length - a.length).join('|')})(?![a-z])\.?`
const number = String.raw`(?<![\d/.:])(?:0?[1-9]|[12]\d|3[01])(?:er)?(?![\d/:%€]|\s*h\b|\.\d)`
const weekday = String.raw`(?:(?:lun|mar|mer|jeu|ven|sam|dim)[a-z]*\.?\s+)?`
const numbers = String.raw`${number}(?:(?:\s*[,;&+]\s*|\s+et\s+|\s+[–-]\s+|\s+)${weekday}${number})*`
const year = String.raw`(?:\s+(20\d\d))?`
const patterns = new RegExp(
  [
    String.raw`(?<![\d/.])(\d{1,2})[/.](\d{1,2})(?:[/.](20\d\d|\d\d))?(?![\d/])`,
    String.raw`(${numbers})\s+(?:de\s+)?(${monthPattern})${year}`,
    String.raw`(${monthPattern})${year}(?:\s*[:–-]?\s*${weekday}(${numbers}))?`,
    `(${numbers})`,
  ].join('|'),
  'g',
)

/** Reads the dates of a line; what it names stays for the lines below. */
function datesOf(line: string, reading: Reading): Date_[] {
  const text = line.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('’', "'")
  const found = [...text.matchAll(patterns)]
  const before = found[0] === undefined ? text : text.slice(0, found[0].index)
  nameBefore(line.slice(0, before.length), reading, found.length > 0)
  const isBare = onlyNumbers(text.slice(before.length))
  return found.flatMap(([, day, month, short, list, ofMonth, itsYear, name, ownYear, own, bare]): Date_[] => {
    if (day !== undefined) return [{ day: Number(day), month: Number(month), year: fullYear(short) }]
    if (list !== undefined) return withDays(list, monthNumber(ofMonth ?? ''), fullYear(itsYear))
    if (name === undefined) return isBare ? withDays(bare ?? '', reading.month, reading.year) : []
    reading.month = monthNumber(name)
    reading.year = fullYear(ownYear)
    return withDays(own ?? '', reading.month, reading.year)
  })
}

/** Notes the collection that a line begins with; a title of something else ends the one before. */
function nameBefore(given: string, reading: Reading, hasDates: boolean): void {
  const words = given.split(/\s+/).filter((word) => !isWeekday(word) && !/^(le|les)$/i.test(word))
  const name = nameIn(words.join(' '))
  if (name.length > 1 && name.length <= 60 && isKind(name)) reading.name = name
  else if (/:\s*$/.test(given) && fold(name) !== '' && (hasDates || !/\d/.test(given))) reading.name = null
}

const onlyNumbers = (text: string) =>
  text
    .split(/[\s,;&+.:–-]+/)
    .every((word) => /^(?:0?[1-9]|[12]\d|3[01])?(?:er)?$/.test(word) || word === 'et' || isWeekday(word))

const fullYear = (year: string | undefined) =>
  year === undefined ? null : Number(year.length === 2 ? `20${year}` : year)

const withDays = (list: string, month: number | null, year: number | null): Date_[] =>
  month === null ? [] : [...list.matchAll(/\d+/g)].map(([day]) => ({ day: Number(day), month, year }))
