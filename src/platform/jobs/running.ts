import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { fromKysely, type JobWithMetadata, type PgBoss } from 'pg-boss'
import type { Database } from '../database/connect.ts'
import type { Handler } from './job.ts'
import { isStillOurs, type JobRun, updateHandedBack, updateHeartbeats } from './queries.ts'

/** `left`: another has it or will have it, and nothing more is to be said of it from here. */
type Running = JobRun & { abort: AbortController; left: boolean; ended: Promise<void> }
export type RunningDeps = {
  boss: PgBoss
  db: Database
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  /** Told of every failure that is not a job's own. */
  grumble(error: unknown): void
  oneEnded(): void
}

/** The jobs that run in this instance. */
export function createRunning({ boss, db, log, grumble, oneEnded }: RunningDeps) {
  const jobs = new Map<string, Running>()
  let stopping = false

  async function runToItsEnd(handler: Handler, taken: JobWithMetadata, mine: Running) {
    const { name, id, retryCount, retryLimit } = taken
    const failure = stopping
      ? { error: new Error('not begun') }
      : await attempt(handler, taken, mine.abort.signal)
    if (mine.left) return
    if (failure === null) return report(mine, (within) => boss.complete(name, id, undefined, within))
    if (stopping) return insist(mine, () => updateHandedBack(db, [mine]))
    const about = { err: failure.error, job: name, id, attempt: retryCount + 1 }
    if (retryCount < retryLimit) log.warn(about, 'a job failed and will be tried again')
    else log.error(about, 'a job failed for good and is kept as a dead letter')
    return report(mine, (within) => boss.fail(name, id, summary(failure.error), within))
  }

  /** Says what came of a job, unless another worker has taken it over meanwhile. */
  function report(mine: Running, send: (within: { db: ReturnType<typeof fromKysely> }) => Promise<unknown>) {
    return insist(mine, () =>
      db.transaction().execute(async (tx) => {
        if (await isStillOurs(tx, mine)) await send({ db: fromKysely(tx) })
      }),
    )
  }

  /** While the database is away, what came of a job waits here rather than have the job done again. */
  async function insist(mine: Running, tell: () => Promise<unknown>) {
    for (;;) {
      try {
        await tell()
        return
      } catch (error) {
        grumble(error)
        if (stopping || mine.left) return
        await sleep(1_000)
      }
    }
  }

  return {
    /** How many more of them may run here. */
    room({ job }: Handler): number {
      return job.settings.concurrency - [...jobs.values()].filter(({ name }) => name === job.name).length
    },
    run(handler: Handler, taken: JobWithMetadata) {
      const { name, id, retryCount } = taken
      const abort = new AbortController()
      const mine: Running = { name, id, retryCount, abort, left: false, ended: Promise.resolve() }
      jobs.set(id, mine)
      mine.ended = runToItsEnd(handler, taken, mine).finally(() => {
        if (jobs.get(id) === mine) jobs.delete(id)
        oneEnded()
      })
    },
    /** Says that they still run, and learns which of them do not count any more. */
    async beat() {
      const ours = [...jobs.values()].filter(({ left }) => !left)
      if (ours.length === 0) return
      const alive = await updateHeartbeats(db, ours)
      for (const job of ours.filter(({ id }) => !alive.includes(id))) {
        job.left = true
        job.abort.abort(new Error('another worker has taken this job over'))
      }
    },
    abort() {
      stopping = true
      for (const { abort } of jobs.values()) abort.abort(new Error('the service stops'))
    },
    /** Waits for them, and hands back those that do not end. */
    async end(graceMs: number) {
      const timer = Promise.withResolvers<void>()
      const timeout = setTimeout(timer.resolve, graceMs)
      await Promise.race([Promise.all([...jobs.values()].map(({ ended }) => ended)), timer.promise])
      clearTimeout(timeout)
      const unfinished = [...jobs.values()].filter(({ left }) => !left)
      if (unfinished.length === 0) return
      for (const job of unfinished) job.left = true
      const names = unfinished.map(({ name, id }) => ({ job: name, id }))
      log.warn({ jobs: names }, 'jobs that did not end in time are handed back')
      await updateHandedBack(db, unfinished)
    },
  }
}

/** One attempt, null when it succeeded. One that outlives its time is given up, whether it heeds its signal or not. */
async function attempt({ job, perform }: Handler, taken: JobWithMetadata, abort: AbortSignal) {
  const timeout = new AbortController()
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new Error(`not done within ${job.settings.timeoutSeconds} s`)
    timeout.abort(error)
    late.reject(error)
  }, job.settings.timeoutSeconds * 1_000)
  try {
    const signal = AbortSignal.any([abort, timeout.signal])
    await Promise.race([
      perform(taken.data, { id: taken.id, attempt: taken.retryCount + 1, signal }),
      late.promise,
    ])
    return null
  } catch (error) {
    return { error }
  } finally {
    clearTimeout(timer)
  }
}

/** What is kept beside the job for a person to read. Not the error itself, which may carry rows and requests. */
function summary(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, code } = error as Error & { code?: unknown }
  return { name, message, ...(typeof code === 'string' && { code }) }
}
