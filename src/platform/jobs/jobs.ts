import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'
import { fromKysely } from 'pg-boss'
import type { Database } from '../database/connect.ts'
import { createBoss, settleQueue, settleSchedules } from './boss.ts'
import { createGrumble } from './grumble.ts'
import type { Handler, Job, Schedule } from './job.ts'
import { usualPace } from './pace.ts'
import { startWorker, type Worker } from './worker.ts'

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
  /** While true no job is begun. */
  isPaused?: () => boolean
}

// An enqueuing transaction has most likely committed by then; if not, the next turn finds the job.
const likelyCommittedMs = 25

export function createJobs({ db, pool, log, isPaused = () => false }: Deps, pace = usualPace): Jobs {
  const grumble = createGrumble(log)
  const boss = createBoss(pool, pace)
  boss.on('error', grumble)
  boss.on('warning', ({ message, data }) => log.warn({ data }, message))
  const queues = new Map<string, Promise<void>>()
  let worker: Worker | null = null
  let waking = false
  let stopped: Promise<void> | null = null

  function ready(job: Job<unknown>): Promise<void> {
    const known = queues.get(job.name)
    if (known !== undefined) return known
    const settling = settleQueue(boss, job)
    queues.set(job.name, settling)
    settling.catch(() => queues.delete(job.name))
    return settling
  }

  function wakeSoon() {
    if (waking) return
    waking = true
    setTimeout(() => {
      waking = false
      worker?.wake()
    }, likelyCommittedMs).unref()
  }

  async function stopAll() {
    const stopping = Promise.allSettled([worker?.stop(), boss.stop({ graceful: false })])
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, pace.graceMs + 1_000)
    await Promise.race([stopping, promise])
    clearTimeout(timer)
  }

  return {
    async enqueue(tx, job, payload, { startAfter, singletonKey = crypto.randomUUID() } = {}) {
      const data = job.readPayload(payload)
      await ready(job)
      const options = { db: fromKysely(tx), singletonKey, ...(startAfter && { startAfter }) }
      const id = await boss.send(job.name, data as object, options)
      wakeSoon()
      return id
    },
    async start(handlers, schedules = []) {
      for (const { job } of [...handlers, ...schedules]) await ready(job)
      await settleSchedules(boss, schedules)
      await boss.start()
      worker = startWorker({ boss, db, log, pace, grumble, isPaused }, handlers)
    },
    stop: () => (stopped ??= stopAll()),
  }
}
