import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { fold } from '../../../platform/formats/text.ts'
import type { Mapping } from '../schema.ts'
import type { FoundItem } from './item.ts'
import { ReadFailed } from './read-failed.ts'

/** An opening quote without a closing one would swallow the rest of the table. */
const maxRowLength = 200_000

/** Yields the rows of a table whose first row is the header. Fields are found by position. */
export async function* readTable(text: string, mapping: Mapping): AsyncGenerator<FoundItem> {
  const { items, ...names } = mapping
  let positions: Record<string, number> | null = null
  for await (const row of rowsOf(text)) {
    if (positions === null) {
      positions = findPositions(row, names)
      continue
    }
    const at = positions
    const found = Object.keys(names).map((name) => [name, row[at[name] ?? -1] ?? null])
    yield { external_id: null, title: null, body: null, ...Object.fromEntries(found) }
  }
}

/** Yields all rows, the header first. */
export async function* rowsOf(text: string): AsyncGenerator<string[]> {
  const parser = parse({
    delimiter: delimiterOf(text),
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

/** Returns the delimiter that occurs most often in the header, outside quotes. */
function delimiterOf(text: string): string {
  const [header = ''] = text
    .slice(0, 20_000)
    .replaceAll(/"[^"]*"/g, '')
    .split(/\r?\n/)
  const countOf = (sign: string) => header.split(sign).length
  return [';', ',', '\t', '|'].reduce((best, sign) => (countOf(sign) > countOf(best) ? sign : best))
}

/** Returns the position of each field: by exact name, else ignoring case and accents. */
function findPositions(header: string[], names: Omit<Mapping, 'items'>): Record<string, number> {
  const written = header.map((name) => name.trim())
  const folded = written.map(fold)
  return Object.fromEntries(
    Object.entries(names).map(([field, name]) => {
      const exact = written.indexOf(name.trim())
      const place = exact >= 0 ? exact : folded.indexOf(fold(name))
      if (place < 0) throw new ReadFailed(`It has no column of the name that mapping.${field} gives.`)
      return [field, place]
    }),
  )
}
