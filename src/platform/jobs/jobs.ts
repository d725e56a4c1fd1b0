import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import { fromKysely } from 'pg-boss'
import type { Database } from '../database/connect.ts'
import { createBoss, putQueue, putSchedules } from './boss.ts'
import { forgetJobs } from './forget-jobs.ts'
import type { Handler, Job, Schedule } from './job.ts'
import { createLogOnce } from './log-once.ts'
import { usualTiming } from './timing.ts'
import { startWorkers, type Workers } from './workers.ts'

export type Jobs = {
  /**
   * Puts a job in line within the caller's transaction: it exists if and only if that commits. Answers its id, or
   * null when one of the same `singletonKey` already waits or runs. (The running one may have looked at the data
   * before this change: the key suits work that repeats, like a synchronisation.)
   */
  enqueue<Payload>(
    tx: Database,
    job: Job<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<string | null>
  /**
   * Takes away, within the caller's transaction, every job that says one of these, as regular expressions of PostgreSQL:
   * what waits, what failed and is kept, what is done. Answers their ids.
   */
  forget(tx: Database, said: string[]): Promise<string[]>
  /** From here on this instance does jobs. One without a handler here waits for an instance that has one. */
  start(handlers: Handler[], schedules?: Schedule[]): Promise<void>
  /** Takes no more, has what runs end, hands back the rest; in 5 s, whatever the handlers and the database do. */
  stop(): Promise<void>
}
type EnqueueOptions = { startAfter?: Date; singletonKey?: string }
type Deps = {
  db: Database
  pool: Pool
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

// An enqueuing transaction has most likely committed by then; if not, the next turn finds the job.
const likelyCommittedMs = 25

export function createJobs({ db, pool, log }: Deps, timing = usualTiming): Jobs {
  const boss = createBoss(pool, timing)
  boss.on('error', createLogOnce(log))
  boss.on('warning', ({ message, data }) => log.warn({ data }, message))
  const queues = new Map<string, Promise<void>>()
  let workers: Workers | null = null
  let stopped: Promise<void> | null = null

  function queueOf(job: Job<unknown>): Promise<void> {
    const known = queues.get(job.name)
    if (known !== undefined) return known
    const putting = putQueue(boss, job)
    queues.set(job.name, putting)
    putting.catch(() => queues.delete(job.name))
    return putting
  }

  async function stopAll() {
    const stopping = Promise.resolve(workers?.stop()).then(() => boss.stop({ graceful: false }))
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, timing.graceMs + 1_000)
    await Promise.race([stopping, late])
    clearTimeout(timer)
  }

  return {
    async enqueue(tx, job, payload, { startAfter, singletonKey = crypto.randomUUID() } = {}) {
      const data = job.readPayload(payload)
      await queueOf(job)
      const options = { db: fromKysely(tx), singletonKey, ...(startAfter && { startAfter }) }
      const id = await boss.send(job.name, data as object, options)
      setTimeout(() => workers?.wake(job.name), likelyCommittedMs).unref()
      return id
    },
    forget: (tx, said) => forgetJobs(boss, tx, said),
    async start(handlers, schedules = []) {
      for (const { job } of [...handlers, ...schedules]) await queueOf(job)
      await putSchedules(boss, schedules)
      await boss.start()
      workers = await startWorkers({ boss, db, log, timing }, handlers)
    },
    stop: () => (stopped ??= stopAll()),
  }
}
