import { readText } from '../../../platform/fetch/read-text.ts'
import { ReadFailed } from '../../imports/readers/read-failed.ts'
import { readCalendar } from './calendar.ts'
import { readDocument } from './document.ts'
import type { ReadRow } from './row.ts'
import { readTable } from './table.ts'

export const fileKinds = ['csv', 'json', 'ics'] as const
export type FileKind = (typeof fileKinds)[number]
export type ReadFile = { kind: FileKind; rows: ReadRow[] }

const maxRows = 20_000

/** Reads a file of collections; what it is shows in its first characters. */
export async function readFile(bytes: Uint8Array, today: string): Promise<ReadFile> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (body.subarray(0, 4).toString('latin1') === 'PK\x03\x04')
    throw new ReadFailed('It is a workbook: save its sheet as CSV.')
  const text = readText({ body, headers: new Map() }).replace(/^\ufeff/, '')
  const kind = kindOf(text)
  const rows: ReadRow[] = []
  for await (const row of readers[kind](text, today)) {
    if (rows.length === maxRows) throw new ReadFailed(`It has more than ${maxRows} rows.`)
    rows.push(row)
  }
  return { kind, rows }
}

function kindOf(text: string): FileKind {
  if (/^\s*BEGIN:VCALENDAR/i.test(text)) return 'ics'
  return /^\s*[[{]/.test(text) ? 'json' : 'csv'
}

const readers = { csv: readTable, json: readDocument, ics: readCalendar }
