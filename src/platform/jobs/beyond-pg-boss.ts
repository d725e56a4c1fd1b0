import { setTimeout as sleep } from 'node:timers/promises'
import { type CommandResponse, fromKysely, type JobWithMetadata, type PgBoss } from 'pg-boss'
import type { Database } from '../database/connect.ts'
import type { Timing } from './timing.ts'

/**
 * Extends pg-boss 12.35 through its own functions, without SQL that writes its tables. On its own, pg-boss
 * - drops a result when the database is unavailable, and runs the job again;
 * - delays the retry of a job whose worker died as long as that of a failed job;
 * - on stop fails the running jobs, permanently at the last attempt;
 * - after a database outage considers running jobs dead before their workers can send a heartbeat.
 * Every result identifies its attempt (id and retryCount), so that a late result changes nothing.
 */

/**
 * Reports the result of a job until it is stored, waiting while the database is unavailable. It never gives up, because
 * pg-boss considers a job done when its worker returns.
 */
export async function untilStored<T>(boss: PgBoss, send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send()
    } catch (error) {
      boss.emit('error', error as Error)
      await sleep(1_000, undefined, { ref: false })
    }
  }
}

/**
 * Records a failed attempt; the next retry, if one is left, follows after the delay. Returns false if another
 * worker has taken over the job.
 */
export function failAttempt(
  boss: PgBoss,
  db: Database,
  { job, output, delaySeconds }: { job: JobWithMetadata<unknown>; output: object; delaySeconds: number },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const within = { db: fromKysely(tx) }
    if (!changed(await boss.fail(job.name, job, output, within))) return false
    await boss.update(job.name, undefined, { id: job.id, startAfter: delaySeconds, ...within })
    return true
  })
}

/** Returns a job to the queue for immediate execution elsewhere, without using up a retry. */
export function handBack(boss: PgBoss, db: Database, job: JobWithMetadata<unknown>): Promise<void> {
  const { name, id, retryLimit } = job
  return db.transaction().execute(async (tx) => {
    const within = { db: fromKysely(tx) }
    if (!changed(await boss.cancel(name, job, within))) return
    await boss.resume(name, id, within)
    await boss.update(name, undefined, { id, retryLimit: retryLimit + 1, ...within })
  })
}

/** Looks for jobs of dead workers and for expired attempts, but only after the database has responded for a while. */
export function superviseWhenCalm(boss: PgBoss, { superviseSeconds, calmSeconds }: Timing): { stop(): void } {
  let troubledAt = performance.now()
  boss.on('error', () => {
    troubledAt = performance.now()
  })
  const timer = setInterval(() => {
    if (performance.now() - troubledAt < calmSeconds * 1_000 || boss.isMaintaining()) return
    boss.supervise().catch((error) => boss.emit('error', error))
  }, superviseSeconds * 1_000)
  return { stop: () => clearInterval(timer) }
}

/** True when the attempt was still current. The published types omit this field of the response. */
const changed = (answer: CommandResponse) => (answer as { affected: number }).affected > 0
