import type { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import { asUnavailable } from '../database/pools/guarded-pool.ts'
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
    // The guards of the pool do not see a connection that cannot be opened.
    db: { executeSql: (text, values) => pool.query(text, values as unknown[]).catch(asUnavailable) },
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

/**
 * Creates missing queues and updates those with other settings than the code's. Reads them all in one statement: on most
 * starts there is nothing to write.
 */
export async function putQueues(boss: PgBoss, jobs: Job<unknown>[]): Promise<void> {
  const found = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  if (!found.has(deadLetters)) await boss.createQueue(deadLetters, { retentionSeconds: 90 * dayS })
  for (const { name, settings } of jobs) {
    const wanted = { ...queueSettings, retryLimit: settings.retries }
    const queue = found.get(name)
    // `exclusive`: at most one job per singleton key is queued or running.
    if (queue === undefined)
      await boss.createQueue(name, { ...wanted, policy: 'exclusive', deadLetter: deadLetters })
    else if (
      Object.entries(wanted).some(([setting, value]) => queue[setting as keyof typeof wanted] !== value)
    )
      await boss.updateQueue(name, wanted)
  }
}

const queueSettings = {
  // Zero, so that the job of a dead worker runs immediately; failAttempt delays failures.
  retryDelay: 0,
  retryBackoff: false,
  // The worker enforces the timeout and its heartbeat proves that it is alive; a result may have to wait for the
  // database.
  expireInSeconds: dayS,
  heartbeatSeconds,
  retentionSeconds: 90 * dayS,
  deleteAfterSeconds: dayS,
}

/** Synchronises the schedules in the database with those of the code. Their queues must exist. */
export async function putSchedules(boss: PgBoss, schedules: Schedule[]): Promise<void> {
  const kept = new Set(schedules.map(({ job, key }) => `${job.name} ${key}`))
  const current = new Set<string>()
  for (const { name, key, cron, timezone } of await boss.getSchedules()) {
    if (!kept.has(`${name} ${key}`)) await boss.unschedule(name, key)
    else if (timezone === timeZone) current.add(`${name} ${key} ${cron}`)
  }
  for (const { job, key, cron, payload, atOnce, ofOthers } of schedules) {
    // The key is a digest of the payload too.
    if (ofOthers || current.has(`${job.name} ${key} ${cron}`)) continue
    await boss.schedule(job.name, cron, payload as object, { tz: timeZone, key, singletonKey: key })
    if (atOnce) await boss.send(job.name, payload as object, { singletonKey: key })
  }
}
