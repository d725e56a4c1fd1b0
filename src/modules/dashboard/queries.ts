import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type { Dashboard } from './schema.ts'

export type Blocks = {
  [Name in keyof Dashboard]-?: (tx: Database) => Promise<NonNullable<Dashboard[Name]>>
}

/** The parts of the dashboard, each on its own. Counts come from the indexes alone. */
export const blocks: Blocks = {
  publications: (tx) => count(tx, sql`publications where deleted_at is null`),
  publications_pending: (tx) =>
    count(tx, sql`publications where deleted_at is null and moderation_status = 'pending'`),
  publications_reported: (tx) =>
    count(
      tx,
      sql`(select distinct publication_id from publication_reports where closed_at is null) reported
        join publications on publications.id = publication_id and deleted_at is null`,
    ),
  acteurs: (tx) => count(tx, sql`acteurs where deleted_at is null`),
  users: (tx) => count(tx, sql`users where actif`),
}

async function count(tx: Database, rows: ReturnType<typeof sql>): Promise<number> {
  const result = await sql<{ count: number }>`select count(*) as count from ${rows}`.execute(tx)
  return result.rows[0]?.count ?? 0
}
