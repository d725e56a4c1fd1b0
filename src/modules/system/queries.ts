import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type { Parts } from './schema.ts'

type Read<Name extends keyof Parts> = Promise<NonNullable<Parts[Name]>>

/** Lists the instances by the connections on which they listen for changes: one, or one for each worker. */
export async function listInstances(db: Database): Read<'instances'> {
  const { rows } = await sql<NonNullable<Parts['instances']>[number]>`
    select nullif(substring(application_name from '^parvis-changes ([^ ]+)'), '') as version,
      coalesce(substring(application_name from ' jobs=(off|only)$'), 'on') as jobs,
      min(backend_start) as connected_at
    from pg_stat_activity
    where datname = current_database() and application_name like 'parvis-changes%'
    group by application_name, case when application_name not like '% of=%' then pid end
    order by connected_at limit 100`.execute(db)
  return rows
}

export async function readDatabase(db: Database): Promise<{ version: string; bytes: number }> {
  const { rows } = await sql<{ version: string; bytes: number }>`
    select split_part(current_setting('server_version'), ' ', 1) as version,
      pg_database_size(current_database()) as bytes`.execute(db)
  return rows[0] ?? { version: '', bytes: 0 }
}

/** Counts to a limit, so that a flood of jobs does not slow the page. */
export async function readJobs(db: Database, deadLetters: string): Read<'jobs'> {
  const { rows } = await sql<NonNullable<Parts['jobs']>>`
    with due as materialized (
      select start_after from pgboss.job
      where name <> ${deadLetters} and state < 'active' and start_after <= now() limit 1000),
    dead as materialized (
      select from pgboss.job where name = ${deadLetters} and state < 'completed' limit 1000)
    select (select count(*) from due)::int as waiting, (select min(start_after) from due) as oldest_at,
      (select count(*) from dead)::int as failed`.execute(db)
  return rows[0] ?? { waiting: 0, oldest_at: null, failed: 0 }
}

export async function findLastBackup(db: Database): Promise<{ made_at: Date; bytes: number } | null> {
  const { rows } = await sql<{ made_at: Date; bytes: number }>`
    select made_at, bytes from last_backup`.execute(db)
  return rows[0] ?? null
}

export async function findAddress(
  db: Database,
  userId: string,
): Promise<{ email: string | null; langue: 'fr' | 'en' } | null> {
  const { rows } = await sql<{ email: string | null; langue: 'fr' | 'en' }>`
    select email, langue from users where id = ${userId}`.execute(db)
  return rows[0] ?? null
}
