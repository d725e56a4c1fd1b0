import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import { fromKysely, type PgBoss } from 'pg-boss'
import type { Database } from '../database/connect.ts'
import { type AttemptDeps, makeAttempt } from './attempt.ts'
import { superviseWhenCalm } from './beyond-pg-boss.ts'
import { createBoss, deadLetters, putQueues, putSchedules } from './boss.ts'
import { wakeWhenDue } from './find-due.ts'
import type { Handler, Job, Schedule } from './job.ts'
import { defaultTiming, type Timing } from './timing.ts'

type Workers = { wake(queue: string): void; stop(): Promise<void> }

/** Between the polls of each pg-boss worker of its own: `wakeWhenDue` finds jobs much sooner. */
const ownPollSeconds = 300

/** Starts as many pg-boss workers per kind of job as may run concurrently. */
async function startWorkers(
  deps: AttemptDeps & { pool: Pool; timing: Timing },
  handlers: Handler[],
): Promise<Workers> {
  const { boss, pool, timing } = deps
  const stopping = new AbortController()
  const stop = { signal: stopping.signal, graceMs: timing.graceMs }
  const options = {
    includeMetadata: true,
    pollingIntervalSeconds: ownPollSeconds,
    heartbeatRefreshSeconds: timing.touchSeconds,
  } as const
  const ids = new Map<string, string[]>()
  for (const handler of handlers) {
    const { name, settings } = handler.job
    const own: string[] = []
    ids.set(name, own)
    for (let n = 0; n < settings.concurrency; n++) {
      const id: string = await boss.work(name, options, async (jobs) => {
        for (const job of jobs) await makeAttempt(deps, handler, job, stop)
        // Looks for the next job immediately instead of at the next poll.
        boss.notifyWorker(id)
      })
      own.push(id)
    }
  }
  const supervision = superviseWhenCalm(boss, timing)
  const wake = (queue: string) => {
    for (const id of ids.get(queue) ?? []) boss.notifyWorker(id)
  }
  const failed = (error: unknown) => void boss.emit('error', error as Error)
  const search = wakeWhenDue(pool, [...ids.keys()], timing.pollSeconds * 1_000, { wake, failed })
  return {
    wake,
    async stop() {
      search.stop()
      supervision.stop()
      stopping.abort(new Error('the service stops'))
      await Promise.all([...ids.keys()].map((name) => boss.offWork(name)))
    },
  }
}

/**
 * Deletes matching jobs, also running ones, whose results are then not recorded. Keeps those with one of the names in
 * `except`, also as dead letters.
 */
async function forgetJobs(
  boss: PgBoss,
  tx: Database,
  patterns: string[],
  except: string[],
): Promise<string[]> {
  if (patterns.length === 0) return []
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from pgboss.job
    where concat_ws(' ', data, output, singleton_key) ~* any(${patterns}::text[])
      and coalesce(source_name, name) <> all(${except}::text[])
    order by id`.execute(tx)
  for (const [name, jobs] of Map.groupBy(rows, (job) => job.name)) {
    const ids = jobs.map(({ id }) => id)
    await boss.deleteJob(name, ids, { db: fromKysely(tx) })
  }
  return rows.map(({ id }) => id)
}

/** Logs recurring problems once a minute per kind, so that an outage of the database does not fill the disk. */
function createLogOnce(log: Pick<FastifyBaseLogger, 'warn'>, everyMs = 60_000) {
  const kinds = new Map<string, { loggedAt: number; unlogged: number }>()
  return (error: unknown) => {
    const { code, message } = error as { code?: unknown; message?: unknown }
    // pg-boss appends the name of the worker that met the problem.
    const kind = String(code ?? message).replace(/ \(Queue: .*/, '')
    const known = kinds.get(kind)
    const now = performance.now()
    if (known !== undefined && now - known.loggedAt < everyMs) {
      known.unlogged++
      return
    }
    if (kinds.size >= 100) kinds.clear()
    kinds.set(kind, { loggedAt: now, unlogged: 0 })
    log.warn({ err: error, alsoBefore: known?.unlogged ?? 0 }, 'background jobs failed: retrying')
  }
}

export type Jobs = {
  /**
   * Enqueues a job in the caller's transaction: the job exists if and only if the transaction commits.
   * Returns its id, or null if a job with the same `singletonKey` is already queued or running. (The running
   * job may have read the data before this change, so the key suits work that repeats, like a sync.)
   */
  enqueue<Payload>(
    tx: Database,
    job: Job<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<string | null>
  /**
   * Deletes, in the caller's transaction, every job whose payload matches one of these PostgreSQL regular
   * expressions: queued, failed and finished jobs, except those with one of the names. Returns their ids.
   */
  forget(tx: Database, patterns: string[], except: string[]): Promise<string[]>
  /** Moves dead letters back to their original queue, for one queue or for all. Returns how many. */
  requeue(queue: string | null): Promise<number>
  /**
   * Starts running jobs in this instance. A job without a handler here stays queued for an instance that has
   * one.
   */
  start(handlers: Handler[], schedules?: Schedule[]): Promise<void>
  /** Returns running jobs to the queue, as `stop` does, and starts none until `resume`; for a full disk. */
  pause(): Promise<void>
  resume(): Promise<void>
  /**
   * Stops taking jobs, lets running ones finish and returns the rest to the queue. Takes at most 5 s, even if
   * handlers or the database do not respond.
   */
  stop(): Promise<void>
}
/** Jobs of a higher `priority` run first; 0 by default. */
type EnqueueOptions = { startAfter?: Date; singletonKey?: string; priority?: number }
type Deps = {
  db: Database
  pool: Pool
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
}

// The enqueuing transaction has most likely committed by then; if not, the next poll finds the job.
const likelyCommittedMs = 25

/** Starts pg-boss. A failed start leaves timers, so it is stopped: a later attempt would set them twice. */
async function startBoss(boss: PgBoss): Promise<void> {
  try {
    await boss.start()
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {})
    throw error
  }
}

export function createJobs({ db, pool, log }: Deps, timing = defaultTiming): Jobs {
  const boss = createBoss(pool, timing)
  boss.on('error', createLogOnce(log))
  boss.on('warning', ({ message, data }) => log.warn({ data }, message))
  const queues = new Map<string, Promise<void>>()
  let workers: Workers | null = null
  let stopped: Promise<void> | null = null
  let handlers: Handler[] | null = null
  let paused = false
  let settling: Promise<void> = Promise.resolve()

  /** Starts or stops the workers, as last requested; one change at a time. */
  function settle(): Promise<void> {
    settling = settling
      .catch(() => {})
      .then(async () => {
        if (handlers !== null && !paused && stopped === null) {
          workers ??= await startWorkers({ boss, db, pool, log, timing }, handlers)
        } else if (paused) {
          const before = workers
          workers = null
          await before?.stop()
        }
      })
    return settling
  }

  async function ensureQueues(jobs: Job<unknown>[]): Promise<void> {
    const missing = jobs.filter(({ name }) => !queues.has(name))
    if (missing.length > 0) {
      const putting = putQueues(boss, missing)
      for (const { name } of missing) {
        queues.set(name, putting)
        putting.catch(() => queues.delete(name))
      }
    }
    await Promise.all(jobs.map(({ name }) => queues.get(name)))
  }

  async function stopAll() {
    const stopping = settling
      .catch(() => {})
      .then(() => workers?.stop())
      .then(() => boss.stop({ graceful: false }))
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, timing.graceMs + 1_000)
    await Promise.race([stopping, late])
    clearTimeout(timer)
  }

  return {
    async enqueue(tx, job, payload, { startAfter, singletonKey = crypto.randomUUID(), priority = 0 } = {}) {
      const data = job.readPayload(payload)
      await ensureQueues([job])
      const options = { db: fromKysely(tx), singletonKey, priority, ...(startAfter && { startAfter }) }
      const id = await boss.send(job.name, data as object, options)
      setTimeout(() => workers?.wake(job.name), likelyCommittedMs).unref()
      return id
    },
    forget: (tx, patterns, except) => forgetJobs(boss, tx, patterns, except),
    async requeue(queue) {
      let total = 0
      for (let moved = 1; moved > 0; total += moved)
        moved = await boss.redrive(deadLetters, queue === null ? {} : { sourceName: queue })
      return total
    },
    async start(given, schedules = []) {
      await ensureQueues([...new Set([...given, ...schedules].map(({ job }) => job))])
      await putSchedules(boss, schedules)
      await startBoss(boss)
      handlers = given
      await settle()
    },
    pause() {
      paused = true
      return settle()
    },
    resume() {
      paused = false
      return settle()
    },
    stop: () => (stopped ??= stopAll()),
  }
}
