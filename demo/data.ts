import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from '../src/platform/database/connect.ts'

/** Reads a data file beside this one; the caller states its type. */
export async function readData<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(new URL(file, import.meta.url), 'utf8'))
}

/** Opens a data file as a stream for a loader. */
export const openData = (file: string) => createReadStream(new URL(file, import.meta.url))

/** Maps INSEE codes in the data to communes. */
export async function mapCommuneIds(db: Database, codes: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('communes')
    .select(['id', 'code_insee'])
    .where('code_insee', 'in', codes)
    .execute()
  return new Map(rows.map(({ code_insee, id }) => [code_insee, id]))
}

/** Maps the values of a column, such as slugs or addresses, to the ids of all rows. */
export async function mapIds(db: Database, table: string, column: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ value: string; id: string }>`
    select ${sql.ref(column)} as value, id from ${sql.table(table)}`.execute(db)
  return new Map(rows.map(({ value, id }) => [value, id]))
}
