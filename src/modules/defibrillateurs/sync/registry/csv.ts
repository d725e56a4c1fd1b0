import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { SyncFailed } from '../sync-failed.ts'
import type { Tally } from '../tally.ts'
import { type Column, neededColumns, optionalColumns, type RegistryRow, readRegistryRow } from './row.ts'
import { createDecoder } from './text.ts'

/** Streams the registry's CSV and passes valid rows to `take`. Throws on a truncated or wrong file. */
export async function readRegistry(
  input: AsyncIterable<Uint8Array>,
  tally: Tally,
  take: (rows: AsyncIterable<RegistryRow>) => Promise<void>,
): Promise<void> {
  const parser = parse({
    bom: true,
    delimiter: ';',
    relax_column_count: true,
    skip_empty_lines: true,
    // An opening quote without a closing one would swallow the rest of the file.
    max_record_size: 200_000,
  })
  try {
    await pipeline(onlyUtf8(input), parser, (records: AsyncIterable<string[]>) =>
      take(rowsOf(records, tally)),
    )
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    // The parser is ahead of the tally. A quote that is not closed was opened in the row after the last whole one.
    const rows = Math.max(0, Number(error.records) - 1)
    throw new SyncFailed(
      `The file cannot be read as CSV after ${rows} rows, at line ${error.lines} (${error.code}).`,
    )
  }
}

async function* onlyUtf8(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decode = createDecoder()
  for await (const chunk of input) {
    decode(chunk)
    yield chunk
  }
  decode()
}

async function* rowsOf(records: AsyncIterable<string[]>, tally: Tally): AsyncGenerator<RegistryRow> {
  let header: { width: number; positions: Map<Column, number> } | null = null
  let isLastWhole = true
  for await (const fields of records) {
    if (header === null) {
      header = readHeader(fields)
      continue
    }
    const { width, positions } = header
    tally.counts.read++
    isLastWhole = fields.length === width
    const row = isLastWhole
      ? readRegistryRow((column) => fields[positions.get(column) ?? -1] ?? '', tally)
      : tally.refuse('bad_columns')
    if (row !== null) yield row
  }
  if (header === null) throw new SyncFailed('The file is empty.')
  if (!isLastWhole) throw new SyncFailed('The file ends within a row: it was cut short.')
}

function readHeader(fields: string[]) {
  const names = fields.map((name) => name.trim().toLowerCase())
  if (/^\s*<(!doctype|html|\?xml)/i.test(fields[0] ?? ''))
    throw new SyncFailed('What was answered is a web page, not the CSV of the registry.')
  const missing = neededColumns.filter((column) => !names.includes(column))
  if (!names.includes('c_dispo_horaires') && !(names.includes('c_disp_j') && names.includes('c_disp_h')))
    missing.push('c_dispo_horaires' as never)
  if (missing.length > 0)
    throw new SyncFailed(`The file lacks columns of the registry: ${missing.join(', ')}.`)
  const positions = new Map(
    [...neededColumns, ...optionalColumns].map((column) => [column, names.indexOf(column)]),
  )
  return { width: fields.length, positions }
}
