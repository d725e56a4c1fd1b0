import { setTimeout as sleep } from 'node:timers/promises'
import { type CommandResponse, fromKysely, type JobWithMetadata, type PgBoss } from 'pg-boss'
import type { Database } from '../database/connect.ts'
import type { Timing } from './timing.ts'

/*
 * What pg-boss 12.35 cannot do, made of its own functions: no SQL of ours writes its tables. Left to itself, it
 * - drops a result when the database is away, and has the job done again;
 * - delays a job whose worker died as long as one that failed;
 * - on stop fails the jobs that run, at the last attempt for good;
 * - takes running jobs for dead when an outage of the database ends, before their workers can be heard again.
 * What is said of a job names the attempt (its id and retryCount): said too late, it changes nothing.
 */

/**
 * Says what came of a job until it is heard: while the database is away, that waits here. Never gives up, for pg-boss
 * takes a job for done when its worker returns.
 */
export async function untilHeard<T>(boss: PgBoss, say: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await say()
    } catch (error) {
      boss.emit('error', error as Error)
      await sleep(1_000, undefined, { ref: false })
    }
  }
}

/** The attempt failed; the next, if one is left, comes after the delay. False when the job was ours no more. */
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

/** Gives a job back, to be done at once by whoever is there. The attempt that ends so uses up no retry. */
export function handBack(boss: PgBoss, db: Database, job: JobWithMetadata<unknown>): Promise<void> {
  const { name, id, retryLimit } = job
  return db.transaction().execute(async (tx) => {
    const within = { db: fromKysely(tx) }
    if (!changed(await boss.cancel(name, job, within))) return
    await boss.resume(name, id, within)
    await boss.update(name, undefined, { id, retryLimit: retryLimit + 1, ...within })
  })
}

/** Looks for jobs of dead workers and ends attempts out of time, while the database has answered for a while. */
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

/** Whether the attempt was still the one that counts. The published types leave out what is answered. */
const changed = (answer: CommandResponse) => (answer as { affected: number }).affected > 0
