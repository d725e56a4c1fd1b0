import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Connection } from '../database/connect.ts'

/**
 * Has pg-boss make its tables, or bring them to the version that the code needs, as their owner; the service is given
 * their rows. What a start left half-built, the next one finishes.
 */
export async function migrateJobs(owner: Connection): Promise<void> {
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
    await boss.start()
    await Promise.race([untilIndexesAreBuilt(boss), trouble.promise])
  } finally {
    await boss.stop({ graceful: false })
    await pool.end()
  }
}

/** Those of tables in use pg-boss builds concurrently, one after the other. */
async function untilIndexesAreBuilt(boss: PgBoss): Promise<void> {
  while ((await boss.getBamStatus()).some(({ status }) => status !== 'completed')) await sleep(50)
}
