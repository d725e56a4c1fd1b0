import type pg from 'pg'
import { getConstructionPlans, getMigrationPlans } from 'pg-boss'
import packageJson from 'pg-boss/package.json' with { type: 'json' }

const schema = 'pgboss'
export const jobsVersion = packageJson.pgboss.schema

/**
 * Brings pg-boss's tables to the version that the code needs, as their owner; the service is given their rows. Runs in
 * the migration step, under its lock and outside a transaction, for the scripts have their own.
 */
export async function migrateJobs(client: pg.ClientBase): Promise<void> {
  const version = await findVersion(client)
  if (version === jobsVersion) return
  if (version === null) await client.query(getConstructionPlans(schema))
  // Built concurrently, an index could not be in one script with the rest; these tables are small.
  else if (version < jobsVersion)
    await client.query(getMigrationPlans(schema, version).replaceAll(' CONCURRENTLY', ''))
  await client.query(`
    -- The open jobs among all that are kept: who is silent, and how much is waiting, is asked every few seconds.
    create index if not exists job_open on ${schema}.job_common (state, name, start_after) where state < 'completed'`)
}

async function findVersion(client: pg.ClientBase): Promise<number | null> {
  const { rows } = await client.query(`select to_regclass('${schema}.version') as found`)
  if (rows[0].found === null) return null
  const versions = await client.query(`select version from ${schema}.version`)
  return versions.rows[0].version
}
