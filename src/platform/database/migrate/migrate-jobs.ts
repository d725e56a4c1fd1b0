import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import packageJson from 'pg-boss/package.json' with { type: 'json' }
import { StartError } from '../../config/start-error.ts'
import type { Connection } from '../connection.ts'

/** Version of the tables, not of the package. */
const neededVersion = packageJson.pgboss.schema

/**
 * Creates or upgrades the pg-boss tables as their owner and grants the service access to the rows. Completes
 * an interrupted upgrade. Returns what was applied, in the form of migration names.
 */
export async function migrateJobs(owner: Connection): Promise<string[]> {
  const pool = new pg.Pool({ ...owner, application_name: 'parvis-migrate', max: 1 })
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
    supervise: false,
    schedule: false,
    bamIntervalSeconds: 10,
  })
  const trouble = Promise.withResolvers<never>()
  boss.on('error', trouble.reject)
  pool.on('error', trouble.reject)
  try {
    const before = (await boss.isInstalled()) ? await boss.schemaVersion() : null
    if (before !== null && before > neededVersion) throw newer()
    await boss.start()
    await Promise.race([untilIndexesAreBuilt(boss), trouble.promise])
    return before === neededVersion ? [] : [`pg-boss ${neededVersion}`]
  } finally {
    await boss.stop({ graceful: false })
    await pool.end()
  }
}

/** Returns why jobs cannot run on the present tables, or null. For starts that may not migrate. */
export async function findJobsFault(client: pg.ClientBase): Promise<string | null> {
  const { rows: tables } = await client.query("select to_regclass('pgboss.version') is not null as made")
  if (!tables[0].made) return 'the job tables do not exist'
  const { rows } = await client.query(`
    select version, exists (select from pgboss.bam where status <> 'completed') as unfinished
    from pgboss.version`)
  const version = rows[0]?.version ?? 0
  if (version > neededVersion) throw newer()
  if (version < neededVersion) return 'the job tables are of an earlier version'
  return rows[0].unfinished ? 'the indexes of the jobs are not built' : null
}

const newer = () =>
  new StartError(
    'The job tables (pgboss) are of a later version than this Parvis knows: start that version, or restore a backup from before it.',
  )

/** Waits for index builds: pg-boss builds the indexes of tables in use concurrently, one after the other. */
async function untilIndexesAreBuilt(boss: PgBoss): Promise<void> {
  while ((await boss.getBamStatus()).some(({ status }) => status !== 'completed')) await sleep(50)
}
