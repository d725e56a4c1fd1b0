import type { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import type { Job, Schedule } from './job.ts'
import { heartbeatSeconds, type Timing } from './timing.ts'

/** The queue of jobs that failed for good, of every kind, until they are retried or expire. */
export const deadLetters = 'dead-letters'
const timeZone = 'Europe/Paris'
const dayS = 86_400

/** Creates pg-boss on the service's own pool, with a role that cannot change its tables. */
export function createBoss(pool: Pool, timing: Timing): PgBoss {
  return new PgBoss({
    // Executes whole scripts with BEGIN and COMMIT; the pool discards a connection if a script fails halfway.
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
    migrate: false,
    reindex: false,
    // superviseWhenCalm does this. If several instances run it concurrently, only one takes effect.
    supervise: false,
    monitorIntervalSeconds: Math.max(1, timing.superviseSeconds - 1),
    maintenanceIntervalSeconds: 3_600,
    // Well below the minute for which a tick is valid, even if one check is missed.
    cronMonitorIntervalSeconds: timing.cronSeconds,
    cronWorkerIntervalSeconds: timing.cronSeconds,
  })
}

/** Creates the queue or updates it to its current settings. */
export async function putQueue(boss: PgBoss, { name, settings }: Job<unknown>): Promise<void> {
  await boss.createQueue(deadLetters, { retentionSeconds: 90 * dayS })
  // `exclusive`: at most one job per singleton key is queued or running.
  await boss.createQueue(name, { policy: 'exclusive', deadLetter: deadLetters })
  await boss.updateQueue(name, {
    retryLimit: settings.retries,
    // Zero, so that the job of a dead worker runs immediately; failAttempt delays failures.
    retryDelay: 0,
    retryBackoff: false,
    // The worker enforces the timeout and its heartbeat proves that it is alive; a result may have to wait for the
    // database.
    expireInSeconds: dayS,
    heartbeatSeconds,
    retentionSeconds: 90 * dayS,
    deleteAfterSeconds: dayS,
  })
}

/** Synchronises the schedules in the database with those of the code. Their queues must exist. */
export async function putSchedules(boss: PgBoss, schedules: Schedule[]): Promise<void> {
  const kept = new Set(schedules.map(({ job, key }) => `${job.name} ${key}`))
  for (const { name, key } of await boss.getSchedules()) {
    if (!kept.has(`${name} ${key}`)) await boss.unschedule(name, key)
  }
  for (const { job, key, cron, payload, ofOthers } of schedules) {
    if (ofOthers) continue
    await boss.schedule(job.name, cron, payload as object, { tz: timeZone, key, singletonKey: key })
  }
}
