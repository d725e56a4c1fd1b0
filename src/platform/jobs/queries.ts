import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'

/** What pg-boss has no function for, on its tables. A job is known by its queue and its id: that is the key. */
type JobKey = { name: string; id: string }
/** One attempt at a job: of each that follows the number is higher. */
export type JobRun = JobKey & { retryCount: number }

/** Those of the queues that have a job to do now. */
export async function listReadyQueues(db: Database, names: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select q.name from unnest(${names}::text[]) as q(name)
    where exists (select from pgboss.job j
      where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())`.execute(db)
  return rows.map(({ name }) => name)
}

/** Says that these still run. Answers the ids of those that are indeed still running. */
export async function updateHeartbeats(db: Database, runs: JobRun[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update pgboss.job set heartbeat_on = now() where ${among(runs)} and state = 'active' returning id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Gives jobs back to be done at once by whoever is there. The attempt that ends so does not count. */
export async function updateHandedBack(db: Database, runs: JobRun[]): Promise<void> {
  await sql`
    update pgboss.job set state = 'retry', start_after = now(), started_on = null, heartbeat_on = null
    where ${among(runs)} and state = 'active'`.execute(db)
}

/** Whether this attempt is still the one that counts; until the transaction ends nobody else takes the job over. */
export async function isStillOurs(tx: Database, run: JobRun): Promise<boolean> {
  const { rows } = await sql`
    select from pgboss.job where ${among([run])} and state = 'active' for update`.execute(tx)
  return rows.length === 1
}

/**
 * Gives the jobs of silent workers to the others, at once: waiting out the backoff would punish the wrong one. The
 * attempt counts, for a job may be what kills its workers; with no attempt left it is pg-boss that ends it.
 */
export async function updateAbandoned(db: Database, deadAfterMs: number): Promise<JobKey[]> {
  const { rows } = await sql<JobKey>`
    update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null
    where state = 'active' and heartbeat_seconds is not null and retry_count < retry_limit
      and heartbeat_on < now() - ${deadAfterMs} * interval '1 ms'
    returning name, id`.execute(db)
  return rows
}

const among = (runs: JobRun[]) => sql`(name, id, retry_count) in (
  select * from unnest(${runs.map(({ name }) => name)}::text[], ${runs.map(({ id }) => id)}::uuid[],
    ${runs.map(({ retryCount }) => retryCount)}::int[]))`
