import { fold } from '../../../platform/formats/text.ts'
import { knownKindOf } from '../reading/cells.ts'

/** A rectangle on a sheet, in pixels from its top left corner. */
export type Box = { x0: number; y0: number; x1: number; y1: number }
export type Word = Box & { text: string }
/** A page of a PDF: its words where they stand, and its picture, four bytes a pixel: red, green, blue and one more. */
export type Sheet = { width: number; height: number; words: Word[]; pixels: Uint8Array }
/** Words of one line that stand close to each other. */
export type Segment = Word & { words: Word[] }
export type Colour = readonly [red: number, green: number, blue: number]

export const middleX = ({ x0, x1 }: Box) => (x0 + x1) / 2
export const middleY = ({ y0, y1 }: Box) => (y0 + y1) / 2
export const heightOf = ({ y0, y1 }: Box) => y1 - y0

/** Returns the middle of sorted numbers; 0 of none. */
export const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

/** Groups words into lines from top to bottom, each from left to right. */
export function linesOf<Item extends Box>(items: readonly Item[]): Item[][] {
  const lines: { middle: number; items: Item[] }[] = []
  for (const item of items.toSorted((a, b) => middleY(a) - middleY(b))) {
    const last = lines.at(-1)
    if (last !== undefined && middleY(item) - last.middle < heightOf(item) / 2) last.items.push(item)
    else lines.push({ middle: middleY(item), items: [item] })
  }
  return lines.map((line) => line.items.toSorted((a, b) => a.x0 - b.x0))
}

/** Cuts lines where a gap is wider than letters are high, so often. */
export function segmentsOf(words: readonly Word[], gap = 1.5): Segment[] {
  return linesOf(words).flatMap((line) => {
    const segments: Word[][] = []
    for (const word of line) {
      const last = segments.at(-1)
      const before = last?.at(-1)
      if (last !== undefined && before !== undefined && word.x0 - before.x1 < gap * heightOf(word))
        last.push(word)
      else segments.push([word])
    }
    return segments.map((words) => ({
      words,
      text: words.map(({ text }) => text).join(' '),
      x0: Math.min(...words.map(({ x0 }) => x0)),
      y0: Math.min(...words.map(({ y0 }) => y0)),
      x1: Math.max(...words.map(({ x1 }) => x1)),
      y1: Math.max(...words.map(({ y1 }) => y1)),
    }))
  })
}

export function colourAt({ width, height, pixels }: Sheet, x: number, y: number): Colour {
  const column = Math.min(Math.max(Math.round(x), 0), width - 1)
  const row = Math.min(Math.max(Math.round(y), 0), height - 1)
  const at = 4 * (row * width + column)
  return [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0]
}

export const distance = (one: Colour, other: Colour) =>
  Math.hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2])
export const isPaper = (colour: Colour) => Math.min(...colour) > 235
export const isInk = (colour: Colour) => Math.max(...colour) < 60

const monthNames = [
  ...['janvier', 'fevrier', 'mars', 'avril', 'mai', 'juin'],
  ...['juillet', 'aout', 'septembre', 'octobre', 'novembre', 'decembre'],
]
const shortNames = ['jan', 'janv', 'fev', 'fevr', 'avr', 'juil', 'sept', 'oct', 'nov', 'dec']
export const monthWords = [...monthNames, ...shortNames]

/** Returns the number of a month that is written in words or cut short, from 1; null for any other word. */
export function monthNumber(word: string): number | null {
  const [name = ''] = fold(word).split(' ')
  return monthWords.includes(name) ? monthNames.findIndex((month) => month.startsWith(name)) + 1 : null
}

export const yearNumber = (word: string) => {
  const year = /^\D{0,2}(20\d\d)\D{0,2}$/.exec(word)?.[1]
  return year === undefined ? null : Number(year)
}

/** True for what names a collection: a known kind of waste, or something to put it in. */
export const isKind = (text: string) =>
  knownKindOf(text) !== null || /^(bac|sac|poubelle|conteneur|container|benne)s?\b/.test(fold(text))

/** Removes what surrounds a name: `• Bac jaune :`. */
export const nameIn = (text: string) => {
  const name = text.replaceAll(/^[^\p{L}\d]+|[^\p{L}\d)]+$/gu, '').replaceAll(/\s+/g, ' ')
  return name.charAt(0).toUpperCase() + name.slice(1)
}
