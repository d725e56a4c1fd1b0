import type { FastifyBaseLogger } from 'fastify'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { Database } from '../database/connect.ts'
import { failAttempt, handBack, untilStored } from './beyond-pg-boss.ts'
import type { Handler, JobSettings } from './job.ts'

export type AttemptDeps = { boss: PgBoss; db: Database; log: Pick<FastifyBaseLogger, 'warn' | 'error'> }
/** Signals the shutdown to handlers, which have `graceMs` to finish. */
export type Stop = { signal: AbortSignal; graceMs: number }

/** Runs one attempt of a job and returns once its result is recorded. */
export async function makeAttempt(
  { boss, db, log }: AttemptDeps,
  handler: Handler,
  job: JobWithMetadata<unknown>,
  stop: Stop,
) {
  const { name, id, retryCount, retryLimit } = job
  const { settings } = handler.job
  const attempt = attemptNumber(job, settings)
  const failure = await findFailure(handler, job, attempt, stop)
  if (failure === null) return untilStored(boss, () => boss.complete(name, job))
  const { error } = failure
  if (error === notEnded) log.warn({ job: name, id }, 'a job timed out and is released')
  if (stop.signal.aborted) return untilStored(boss, () => handBack(boss, db, job))
  const ending = { job, output: summary(error), delaySeconds: backoffSeconds(attempt, settings) }
  const wasOurs = await untilStored(boss, () => failAttempt(boss, db, ending))
  if (!wasOurs) return
  const about = { err: error, job: name, id, attempt }
  if (retryCount < retryLimit) log.warn(about, 'a job failed and will be tried again')
  else log.error(about, 'a job failed for good and is kept as a dead letter')
}

/** Derives the attempt from the retries left, because each hand-back raises the limit. */
function attemptNumber(
  { retryCount, retryLimit }: JobWithMetadata<unknown>,
  { retries }: JobSettings,
): number {
  return Math.max(1, retries + 1 - (retryLimit - retryCount))
}

function backoffSeconds(attempt: number, { backoffSeconds: first, maxBackoffSeconds }: JobSettings): number {
  return Math.min(maxBackoffSeconds, first * 2 ** (attempt - 1))
}

const notEnded = new Error('not ended before the service stopped')

/**
 * Returns null on success. Gives up on a handler that exceeds its timeout or the grace period of the
 * shutdown, even if it ignores its signal.
 */
async function findFailure(
  { job, perform }: Handler,
  { id, data, signal }: JobWithMetadata<unknown>,
  attempt: number,
  stop: Stop,
) {
  if (stop.signal.aborted) return { error: stop.signal.reason }
  const { timeoutSeconds } = job.settings
  const timeout = new AbortController()
  const givenUp = Promise.withResolvers<never>()
  const timers = [
    setTimeout(() => {
      const error = new Error(`not done within ${timeoutSeconds} s`)
      timeout.abort(error)
      givenUp.reject(error)
    }, timeoutSeconds * 1_000),
  ]
  const stopSoon = () => {
    timers.push(setTimeout(() => givenUp.reject(notEnded), stop.graceMs))
  }
  stop.signal.addEventListener('abort', stopSoon)
  try {
    const context = { id, attempt, signal: AbortSignal.any([signal, stop.signal, timeout.signal]) }
    await Promise.race([perform(data, context), givenUp.promise])
    return null
  } catch (error) {
    return { error }
  } finally {
    stop.signal.removeEventListener('abort', stopSoon)
    for (const timer of timers) clearTimeout(timer)
  }
}

/** Returns a summary of an error to store with the job. The error itself may contain rows and requests. */
function summary(error: unknown): object {
  if (!(error instanceof Error)) return { message: storable(error) }
  const { name, message, code } = error as Error & { code?: unknown }
  return { name, message: storable(message), ...(typeof code === 'string' && { code: storable(code) }) }
}

const storable = (text: unknown) => String(text).replaceAll('\0', '').toWellFormed()
