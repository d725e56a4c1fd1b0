import type { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import type { Job, Schedule } from './job.ts'
import { heartbeatSeconds, type Timing } from './timing.ts'

/** Jobs that failed for good, of every kind, until they are redriven or too old. */
export const deadLetters = 'dead-letters'
const timeZone = 'Europe/Paris'
const dayS = 86_400

/** pg-boss on the service's own pool, as a role that may not change its tables. */
export function createBoss(pool: Pool, timing: Timing): PgBoss {
  return new PgBoss({
    // Whole scripts with BEGIN and COMMIT come here: the pool drops a connection on which one fails half-way.
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
    migrate: false,
    reindex: false,
    // Done by superviseWhenCalm; of several instances that look at once, one does.
    supervise: false,
    monitorIntervalSeconds: Math.max(1, timing.superviseSeconds - 1),
    maintenanceIntervalSeconds: 3_600,
    // Well under the minute in which a tick counts, even when a turn is missed.
    cronMonitorIntervalSeconds: timing.cronSeconds,
    cronWorkerIntervalSeconds: timing.cronSeconds,
  })
}

/** Makes the queue, or brings it to what the code says now. */
export async function putQueue(boss: PgBoss, { name, settings }: Job<unknown>): Promise<void> {
  await boss.createQueue(deadLetters, { retentionSeconds: 90 * dayS })
  // "exclusive": of one singleton key, one waits or runs.
  await boss.createQueue(name, { policy: 'exclusive', deadLetter: deadLetters })
  await boss.updateQueue(name, {
    retryLimit: settings.retries,
    // None, so that the job of a dead worker is done at once; a failure is put off by failAttempt.
    retryDelay: 0,
    retryBackoff: false,
    // The worker keeps the time, and its heartbeat tells that it does: what came of a job may wait for the database.
    expireInSeconds: dayS,
    heartbeatSeconds,
    retentionSeconds: 90 * dayS,
    deleteAfterSeconds: dayS,
  })
}

/** The schedules in the database are those of the code, no more. Their queues exist. */
export async function putSchedules(boss: PgBoss, schedules: Schedule[]): Promise<void> {
  const kept = new Set(schedules.map(({ job, key }) => `${job.name} ${key}`))
  for (const { name, key } of await boss.getSchedules()) {
    if (!kept.has(`${name} ${key}`)) await boss.unschedule(name, key)
  }
  for (const { job, key, cron, payload } of schedules) {
    await boss.schedule(job.name, cron, payload as object, { tz: timeZone, key, singletonKey: key })
  }
}
