import type { Pool } from 'pg'
import { PgBoss, type QueueOptions } from 'pg-boss'
import type { Job, JobSettings, Schedule } from './job.ts'
import type { Pace } from './pace.ts'

/** Jobs that failed for good, of every kind, until they are redriven or too old. */
export const deadLetters = 'dead-letters'
const timeZone = 'Europe/Paris'
const dayS = 86_400

/** pg-boss on the service's own pool, as a role that may not change its tables. */
export function createBoss(pool: Pool, pace: Pace): PgBoss {
  return new PgBoss({
    // Whole scripts with BEGIN and COMMIT come here: the pool drops a connection on which one fails half-way.
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]) },
    migrate: false,
    createSchema: false,
    reindex: false,
    // A minute is soon enough for what is left to it: attempts out of time, statistics, deletion of what is old.
    superviseIntervalSeconds: 60,
    monitorIntervalSeconds: 50,
    maintenanceIntervalSeconds: 3_600,
    flowIntervalSeconds: 3_600,
    // Well under the minute in which a tick counts, even when a turn is missed.
    cronMonitorIntervalSeconds: pace.cronSeconds,
    cronWorkerIntervalSeconds: pace.cronSeconds,
  })
}

/** Makes the queue, or brings it to what the code says now. */
export async function settleQueue(boss: PgBoss, { name, settings }: Job<unknown>): Promise<void> {
  await boss.createQueue(deadLetters, { retentionSeconds: 90 * dayS })
  // "exclusive": of one singleton key, one waits or runs.
  await boss.createQueue(name, { policy: 'exclusive', deadLetter: deadLetters })
  await boss.updateQueue(name, queueOptions(settings))
}

function queueOptions(settings: JobSettings): QueueOptions {
  return {
    retryLimit: settings.retries,
    retryDelay: settings.backoffSeconds,
    retryBackoff: true,
    retryDelayMax: settings.maxBackoffSeconds,
    // The worker gives up first, and says so; this is for one that is gone.
    expireInSeconds: settings.timeoutSeconds + 60,
    // Only marks jobs as having a heartbeat, and ends those with no retry left: the worker notices sooner.
    heartbeatSeconds: 60,
    retentionSeconds: 90 * dayS,
    deleteAfterSeconds: 3 * dayS,
  }
}

/** The schedules in the database are those of the code, no more. Their queues exist. */
export async function settleSchedules(boss: PgBoss, schedules: Schedule[]): Promise<void> {
  const kept = new Set(schedules.map(({ job, key }) => `${job.name} ${key}`))
  for (const { name, key } of await boss.getSchedules()) {
    if (!kept.has(`${name} ${key}`)) await boss.unschedule(name, key)
  }
  for (const { job, key, cron, payload } of schedules) {
    await boss.schedule(job.name, cron, payload as object, { tz: timeZone, key, singletonKey: key })
  }
}
