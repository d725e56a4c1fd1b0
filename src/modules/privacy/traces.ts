import type { Database } from '../../platform/database/connect.ts'
import { countSaying, listColumns } from './queries.ts'

export type Trace = { table: string; column: string; rows: number }

/**
 * Where one of these is written, in any column of any table: regular expressions, whatever their case. It reads the whole
 * database, so that it also finds what nobody thought of.
 */
export async function findTraces(db: Database, said: string[]): Promise<Trace[]> {
  if (said.length === 0) return []
  const found: Trace[] = []
  for (const [table, columns] of Map.groupBy(await listColumns(db), (column) => column.table)) {
    const names = columns.map(({ column }) => column)
    const counts = await countSaying(db, table, names, said)
    for (const [column, rows] of Object.entries(counts)) if (rows > 0) found.push({ table, column, rows })
  }
  return found
}

/** An address by itself, not as a part of a longer one. */
export const addressPattern = (email: string): string =>
  `(^|[^a-z0-9._%+-])${literal(email)}($|[^a-z0-9.-]|[.]($|[^a-z0-9]))`

export const literal = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '\\$&')
