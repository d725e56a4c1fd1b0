import { CsvError, parse } from 'csv-parse'
import {
  type Column,
  neededColumns,
  optionalColumns,
  type RegistryRow,
  readRegistryRow,
} from './registry-row.ts'
import { SyncFailed } from './sync-failed.ts'
import type { Tally } from './tally.ts'

/** Parses the bytes of the registry's CSV. To be put between them and `registryRows`. */
export const csvParser = () =>
  parse({
    bom: true,
    delimiter: ';',
    relax_column_count: true,
    skip_empty_lines: true,
    // An opening quote without its closing one would swallow the rest of the file.
    max_record_size: 200_000,
  })

/** The rows that can be kept, one after the other. A file that is cut short, or is no such file, throws. */
export async function* registryRows(
  records: AsyncIterable<string[]>,
  tally: Tally,
): AsyncGenerator<RegistryRow> {
  let header: { width: number; places: Map<Column, number> } | null = null
  let isLastWhole = true
  try {
    for await (const fields of records) {
      if (header === null) {
        header = readHeader(fields)
        continue
      }
      tally.counts.read++
      isLastWhole = fields.length === header.width
      if (!isLastWhole) {
        tally.refuse('bad_columns')
        continue
      }
      const { places } = header
      const row = readRegistryRow((column) => fields[places.get(column) ?? -1] ?? '', tally)
      if (row !== null) yield row
    }
  } catch (error) {
    if (error instanceof CsvError)
      throw new SyncFailed(`The file cannot be read as CSV after ${tally.counts.read} rows (${error.code}).`)
    throw error
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
  const places = new Map(
    [...neededColumns, ...optionalColumns].map((column) => [column, names.indexOf(column)]),
  )
  return { width: fields.length, places }
}
