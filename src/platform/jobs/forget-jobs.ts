import { sql } from 'kysely'
import { fromKysely, type PgBoss } from 'pg-boss'
import type { Database } from '../database/connect.ts'

/**
 * Deletes matching jobs, also running ones, whose results are then not recorded. Keeps those with one of the names in
 * `except`, also as dead letters.
 */
export async function forgetJobs(
  boss: PgBoss,
  tx: Database,
  patterns: string[],
  except: string[],
): Promise<string[]> {
  if (patterns.length === 0) return []
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from pgboss.job
    where concat_ws(' ', data, output, singleton_key) ~* any(${patterns}::text[])
      and coalesce(source_name, name) <> all(${except}::text[])
    order by id`.execute(tx)
  for (const [name, jobs] of Map.groupBy(rows, (job) => job.name)) {
    const ids = jobs.map(({ id }) => id)
    await boss.deleteJob(name, ids, { db: fromKysely(tx) })
  }
  return rows.map(({ id }) => id)
}
