import type { Database } from '../../platform/database/connect.ts'
import { countMentions, listColumns } from './queries.ts'

export type Trace = { table: string; column: string; rows: number }

/**
 * Searches every column of every table for these case-insensitive regular expressions. Reads the whole
 * database, so that it also finds data that no module declares.
 */
export async function findTraces(db: Database, mentions: string[]): Promise<Trace[]> {
  if (mentions.length === 0) return []
  const found: Trace[] = []
  for (const [table, columns] of Map.groupBy(await listColumns(db), (column) => column.table)) {
    const names = columns.map(({ column }) => column)
    const counts = await countMentions(db, table, names, mentions)
    for (const [column, rows] of Object.entries(counts)) if (rows > 0) found.push({ table, column, rows })
  }
  return found
}

/** Matches a whole address, not part of a longer one. */
export const addressPattern = (email: string): string =>
  `(^|[^a-z0-9._%+-])${literal(email)}($|[^a-z0-9.-]|[.]($|[^a-z0-9]))`

export const literal = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '\\$&')
