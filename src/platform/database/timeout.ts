import { sql } from 'kysely'
import type { Database } from './connect.ts'

/** Reads with a timeout. PostgreSQL enforces it, so the statement stops too; waiting for a lock counts. */
export function withTimeout<T>(
  db: Database,
  timeoutMs: number,
  read: (tx: Database) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(tx)
      return read(tx)
    })
}
