import { sql } from 'kysely'
import { fromKysely, type PgBoss } from 'pg-boss'
import type { Database } from '../database/connect.ts'

/** Deletes matching jobs, also running ones, whose results are then not recorded. */
export async function forgetJobs(boss: PgBoss, tx: Database, patterns: string[]): Promise<string[]> {
  if (patterns.length === 0) return []
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from pgboss.job
    where concat_ws(' ', data, output, singleton_key) ~* any(${patterns}::text[]) order by id`.execute(tx)
  for (const [name, jobs] of Map.groupBy(rows, (job) => job.name)) {
    const ids = jobs.map(({ id }) => id)
    await boss.deleteJob(name, ids, { db: fromKysely(tx) })
  }
  return rows.map(({ id }) => id)
}
