import { SyncFailed } from '../sync-failed.ts'
import type { Tally } from '../tally.ts'
import { type Column, type RegistryRow, readRegistryRow } from './row.ts'
import { createDecoder } from './text.ts'

/** A page of the tabular API: its rows, the URL of the next page, and the total number of rows. */
export type Page = { rows: RegistryRow[]; next: string | null; total: number | null }

export function readPage(body: Uint8Array, tally: Tally): Page {
  const decode = createDecoder()
  const { data, links, meta } = parse(decode(body) + decode())
  if (!Array.isArray(data) || !data.every((record) => typeof record === 'object' && record !== null))
    throw new SyncFailed('The response of the registry is not a list of rows.')
  tally.counts.read += data.length
  const next = (links as { next?: unknown } | null | undefined)?.next
  const total = (meta as { total?: unknown } | null | undefined)?.total
  return {
    rows: data
      .map((record) => readRegistryRow((column) => written(record, column), tally))
      .filter((row) => row !== null),
    next: typeof next === 'string' && next !== '' ? next : null,
    total: Number.isInteger(total) ? (total as number) : null,
  }
}

function parse(text: string): { data?: unknown; links?: unknown; meta?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    throw new SyncFailed('The response of the registry is not JSON.')
  }
}

/** Formats a value as in the CSV. */
function written(record: Record<string, unknown>, column: Column): string {
  const value = record[column]
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
