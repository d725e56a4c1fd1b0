import { fold } from '../../../platform/formats/text.ts'
import {
  type Colour,
  colourAt,
  distance,
  isInk,
  isKind,
  isPaper,
  middleX,
  middleY,
  nameIn,
  type Segment,
  type Sheet,
  segmentsOf,
  type Word,
} from './sheet.ts'

/** A collection that a legend names, with the colour or the letters that stand for it. */
export type Entry = { name: string; colour: Colour | null; mark: string | null }

const maxNameLength = 50
/** Colours so close are one for those who print a calendar. */
export const sameColour = 36
/** How far left of a name its colour may stand, in pixels. */
const maxWay = 90

/** Reads the legend: names of collections among the words outside the months. A colour of two names stands for none. */
export function legendOf(sheets: readonly { sheet: Sheet; outside: Word[] }[]): Entry[] {
  const named = sheets.flatMap(({ sheet, outside }) =>
    segmentsOf(outside).flatMap((segment) => {
      const { text } = segment
      if (text.length > maxNameLength || /calendrier|planning/i.test(text)) return []
      const { name, mark } = markIn(text)
      const ground = groundOf(sheet, segment)
      return isKind(name)
        ? [{ name: nameIn(name), mark, ground, sample: sampleBeside(sheet, segment, ground) }]
        : []
    }),
  )
  const isShared = (ground: Colour) =>
    named.filter((one) => distance(one.ground, ground) < sameColour).length > 1
  const entries = named.map(({ name, mark, ground, sample }) => ({
    ...{ name, mark },
    colour: isPaper(ground) || isInk(ground) || isShared(ground) ? sample : ground,
  }))
  const isAmbiguous = ({ name, colour }: Entry) =>
    colour !== null &&
    entries.some(
      (other) =>
        fold(other.name) !== fold(name) &&
        other.colour !== null &&
        distance(other.colour, colour) < sameColour,
    )
  return entries.map((entry) => (isAmbiguous(entry) ? { ...entry, colour: null } : entry))
}

const words = new Set(['le', 'la', 'les', 'du', 'de', 'des', 'un', 'une', 'et', 'au', 'bac', 'sac', 'vos'])

/** Splits `J : bac jaune`, `Bac jaune (J)` and the like. */
function markIn(text: string): { name: string; mark: string | null } {
  const before = /^(\p{L}{1,3}|[^\p{L}\p{N}\s])\s*[:=–-]?\s+(.+)$/u.exec(text)
  if (before?.[1] && before[2] && !words.has(fold(before[1])) && isKind(before[2]))
    return { mark: before[1].toLowerCase(), name: before[2] }
  const after = /^(.+?)\s*[:=(]\s*(\p{L}{1,3})\)?$/u.exec(text)
  if (after?.[1] && after[2] && isKind(after[1])) return { mark: after[2].toLowerCase(), name: after[1] }
  return { mark: null, name: text }
}

/** Returns the colour on which a text stands. */
function groundOf(sheet: Sheet, { x0, x1, y0, ...box }: Segment): Colour {
  const middle = middleY({ x0, x1, y0, ...box })
  const around = [
    colourAt(sheet, x0 - 2, middle),
    colourAt(sheet, x1 + 2, middle),
    colourAt(sheet, middleX({ x0, x1, y0, ...box }), y0 - 2),
  ]
  return (
    around.find((one) => around.filter((other) => distance(one, other) < 12).length > 1) ?? [255, 255, 255]
  )
}

/** Returns the colour of the field left of a text; null if there is none. */
function sampleBeside(sheet: Sheet, segment: Segment, ground: Colour): Colour | null {
  const y = middleY(segment)
  let run: Colour[] = []
  for (let x = segment.x0 - 2; x > Math.max(segment.x0 - maxWay, 0); x--) {
    const colour = colourAt(sheet, x, y)
    const isField = distance(colour, ground) > sameColour && !isPaper(colour) && !isInk(colour)
    const [first] = run
    run =
      isField && (first === undefined || distance(first, colour) < 12)
        ? [...run, colour]
        : isField
          ? [colour]
          : []
    const last = run[3]
    if (last !== undefined && distance(colourAt(sheet, x, y + 2), last) < 12) return last
  }
  return null
}
