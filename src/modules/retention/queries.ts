import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

export async function noteRun(db: Database, part: string, rows: number): Promise<void> {
  const run = { rows, ran_at: sql<Date>`clock_timestamp()` }
  await db
    .insertInto('retention_runs')
    .values({ part, ...run })
    .onConflict((old) => old.column('part').doUpdateSet(run))
    .execute()
}

export type Run = { part: string; ran_at: Date; rows: number }

export async function listRuns(db: Database): Promise<Run[]> {
  return db.selectFrom('retention_runs').select(['part', 'ran_at', 'rows']).orderBy('part').execute()
}
