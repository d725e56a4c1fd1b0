import { sql } from 'kysely'
import { notFound } from '../errors.ts'
import type { Database } from './connect.ts'
import type { DB } from './types.generated.ts'

/** Throws 404 if the table has no row with this id. */
export async function requireRow(db: Database, table: keyof DB, id: string): Promise<void> {
  const { rows } = await sql`select from ${sql.table(table)} where id = ${id}`.execute(db)
  if (rows.length === 0) throw notFound()
}
