import { sql } from 'kysely'
import type { Database } from './connect.ts'
import type { DB } from './types.generated.ts'

/**
 * Gathers the statistics of tables that were just filled. Without them PostgreSQL plans as if they had a few rows, until
 * autovacuum comes.
 */
export async function analyzeTables(db: Database, tables: (keyof DB & string)[]): Promise<void> {
  await sql`select analyze_tables(${tables}::text[])`.execute(db)
}
