import { createHash } from 'node:crypto'
import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'

export type JobSettings = {
  /** Retries after the first attempt; at least one, so that another worker takes over when a worker dies. */
  retries: number
  /** Delay before the first retry. It doubles each time, up to `maxBackoffSeconds`. */
  backoffSeconds: number
  maxBackoffSeconds: number
  /**
   * A longer attempt is aborted and counts as failed. Generous, because a dead worker is detected by its missing
   * heartbeat.
   */
  timeoutSeconds: number
  /** How many run concurrently in one instance. */
  concurrency: number
}

/** A kind of background job with its payload, declared in a module's `jobs.ts` beside its handler. */
export type Job<Payload> = {
  readonly name: string
  readonly settings: JobSettings
  /** Returns the payload, or throws an error that names the faulty field without quoting it. */
  readPayload(given: unknown): Payload
}

export type JobContext = {
  id: string
  /** 1 for the first attempt. */
  attempt: number
  /** Aborted when the service stops, the timeout expires, or another worker takes the job over. */
  signal: AbortSignal
}
/** The attempt of a job, as its work sees it. */
export type JobAttempt = JobContext & {
  job: Job<unknown>
  /** No retry follows if this attempt fails. An aborted attempt is not counted. */
  isLast: boolean
}
export type Handler = { job: Job<unknown>; perform(given: unknown, context: JobContext): Promise<unknown> }
export type Schedule = {
  job: Job<unknown>
  key: string
  cron: string
  payload: unknown
  /** Runs when it is scheduled for the first time, before its first tick. */
  atOnce?: boolean
  /** Managed by other instances: this one neither creates nor removes it. */
  ofOthers?: true
}

const defaultSettings: JobSettings = {
  retries: 5,
  backoffSeconds: 30,
  maxBackoffSeconds: 3_600,
  timeoutSeconds: 900,
  concurrency: 1,
}

/**
 * Declares a job. Names have the form `module.what-it-does` and are stored, so renaming one orphans its
 * queued jobs.
 */
export function defineJob<Schema extends TSchema>(
  name: string,
  schema: Schema,
  settings: Partial<JobSettings> = {},
): Job<Static<Schema>> {
  const all = { ...defaultSettings, ...settings }
  if (all.retries < 1) throw new RangeError(`${name}: a job needs one retry or more`)
  // Compiled at its first use, because compiling all of them delays the start.
  let compiled: Validator<Schema> | undefined
  return {
    name,
    settings: all,
    readPayload(given) {
      compiled ??= Compile(schema)
      if (compiled.Check(given)) return given
      const [, faults] = compiled.Errors(given)
      const sentences = faults.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
      throw new TypeError(`the payload of ${name} is not valid: ${sentences.join(', ')}`)
    },
  }
}

/**
 * Defines the handler of a job. A job runs at least once: if the worker dies or the database becomes
 * unavailable before the result is recorded, it runs again. A handler must therefore be idempotent and should
 * stop soon when the signal is aborted. Returning means done; throwing means retry, and after the last
 * attempt the job becomes a dead letter.
 */
export function handle<Payload>(
  job: Job<Payload>,
  work: (payload: Payload, context: JobAttempt) => Promise<unknown>,
): Handler {
  return {
    job,
    perform: async (given, context) =>
      work(job.readPayload(given), { ...context, job, isLast: context.attempt > job.settings.retries }),
  }
}

/**
 * Schedules a job in Paris time. Runs once per tick across all instances, up to a minute late. Skips a tick
 * while the previous run is still queued or running, or if no instance was up within that minute. `atOnce`: a new
 * service has its result before the first tick.
 */
export function schedule<Payload>(
  job: Job<Payload>,
  cron: string,
  payload: Payload,
  { atOnce = false } = {},
): Schedule {
  const key = createHash('sha256')
    .update(JSON.stringify([cron, payload]))
    .digest('hex')
    .slice(0, 12)
  return { job, key, cron, payload: job.readPayload(payload), atOnce }
}
