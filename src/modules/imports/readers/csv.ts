import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { fold } from '../../../platform/formats/text.ts'
import type { Mapping } from '../schema.ts'
import type { FoundItem } from './item.ts'
import { ReadFailed } from './read-failed.ts'

/** An opening quote without a closing one would swallow the rest of the table. */
const maxRowLength = 200_000

/** A title may stand above the header: this many rows are looked at. */
const maxTitleRows = 10

/** Yields the rows below the header, which is the row with all names of the mapping. Fields are found by position. */
export async function* readTable(text: string, mapping: Mapping): AsyncGenerator<FoundItem> {
  const { items, ...names } = mapping
  let positions: Record<string, number> | null = null
  const above: string[][] = []
  for await (const row of rowsOf(text)) {
    if (positions === null) {
      above.push(row)
      positions = positionsIn(row, names)
      if (positions === null && above.length === maxTitleRows) break
      continue
    }
    const at = positions
    const found = Object.keys(names).map((name) => [name, row[at[name] ?? -1] ?? null])
    yield { external_id: null, title: null, body: null, ...Object.fromEntries(found) }
  }
  if (positions === null && above.length > 0)
    throw new ReadFailed(`It has no column of the name that mapping.${missingField(above, names)} gives.`)
}

/** Excel's first line, which names the delimiter. */
const excelLine = /^\ufeff?"?sep=([;,\t|])"?[ ;,\t|]*(?:\r\n?|\n)/i

/** Yields all rows: titles, if any, then the header. */
export async function* rowsOf(whole: string): AsyncGenerator<string[]> {
  const [line = '', named] = excelLine.exec(whole.slice(0, 200)) ?? []
  const text = whole.slice(line.length)
  const parser = parse({
    delimiter: named ?? delimiterOf(text),
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRowLength,
  })
  const input = Readable.from(piecesOf(text))
  input.on('error', (error) => parser.destroy(error)).pipe(parser)
  try {
    for await (const row of parser) yield row
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new ReadFailed(`It cannot be read as CSV from about line ${parser.info.lines} on.`)
  }
}

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += 65_536) yield text.slice(at, at + 65_536)
}

/**
 * Returns the delimiter that occurs in most of the first lines, outside quotes; of several, the one that occurs most
 * often in the line where it begins. A title above the header has commas at most.
 */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replaceAll(/"[^"]*"/g, '')
    .split(/\r\n?|\n/)
    .slice(0, maxTitleRows)
  const scoreOf = (sign: string) => {
    const counts = lines.map((line) => line.split(sign).length - 1).filter((count) => count > 0)
    return [counts.length, counts[0] ?? 0] as const
  }
  return [';', ',', '\t', '|'].reduce((best, sign) => {
    const [lineCount, count] = scoreOf(sign)
    const [bestLines, bestCount] = scoreOf(best)
    return lineCount > bestLines || (lineCount === bestLines && count > bestCount) ? sign : best
  })
}

type Names = Omit<Mapping, 'items'>

/** Returns the position of each field; null unless the row has them all. */
function positionsIn(row: string[], names: Names): Record<string, number> | null {
  const places = Object.entries(names).map(([field, name]) => [field, placeOf(row, name)] as const)
  return places.every(([, place]) => place >= 0) ? Object.fromEntries(places) : null
}

/** Returns the first field that is missing in the row with the most names. */
function missingField(rows: string[][], names: Names): string {
  const missing = rows.map((row) =>
    Object.entries(names).flatMap(([field, name]) => (placeOf(row, name) < 0 ? [field] : [])),
  )
  return missing.toSorted((one, other) => one.length - other.length)[0]?.[0] ?? ''
}

/** Finds a column by its exact name, else ignoring case and accents; -1 if it is missing. */
function placeOf(row: string[], name: string): number {
  const exact = row.findIndex((cell) => cell.trim() === name.trim())
  return exact >= 0 ? exact : row.findIndex((cell) => fold(cell) === fold(name))
}
