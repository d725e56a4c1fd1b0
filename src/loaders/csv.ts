import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { StartError } from '../platform/config/start-error.ts'
import { fold } from '../platform/formats/text.ts'
import { findFlaw } from './flaws.ts'

/** `damage` is the reason why no field of the row can be trusted, or null. */
export type CsvRow = { line: number; fields: string[]; damage: string | null }

/** Yields the rows of a UTF-8 CSV with `;` whose first row is the header. Errors name the line, never its content. */
export async function* csvRows(input: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const parser = parse({
    bom: true,
    delimiter: ';',
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    trim: true,
    // Without this limit, an unclosed quote would consume the rest of the file.
    max_record_size: 50_000,
  })
  let width: number | null = null
  try {
    for await (const { record, info } of pipeline(Readable.from(input), parser, () => {})) {
      width ??= record.length
      yield { line: info.lines, fields: record, damage: findDamage(record, width) }
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw new StartError(
        `The file cannot be read as CSV from about line ${parser.info.lines} on (${error.code}).`,
      )
    throw error
  }
}

function findDamage(fields: string[], width: number | null): string | null {
  if (fields.length !== width) return 'it has not as many fields as the header'
  return findFlaw(fields.map((field, index) => [`field ${index + 1}`, field]))
}

/** Returns the position of each named column, ignoring case, accents and apostrophes; -1 when missing. */
export function findColumns<K extends string>(header: string[], names: Record<K, string>): Record<K, number> {
  const folded = header.map(fold)
  const entries = Object.entries<string>(names).map(([key, name]) => [key, folded.indexOf(fold(name))])
  return Object.fromEntries(entries)
}
