import { createHash } from 'node:crypto'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

export type JobSettings = {
  /** Attempts after the first; at least one, so that a job whose worker dies is done by another. */
  retries: number
  /** The wait before the first retry; it doubles each time, up to `maxBackoffSeconds`. */
  backoffSeconds: number
  maxBackoffSeconds: number
  /** A longer attempt is aborted and counts as failed. Generous: a dead worker is noticed by its silence. */
  timeoutSeconds: number
  /** How many run at the same time in one instance. */
  concurrency: number
}

/** A kind of background work and what it is told. Declared in a module's `jobs.ts`, beside its handler. */
export type Job<Payload> = {
  readonly name: string
  readonly settings: JobSettings
  /** The payload, or an error that says where it is wrong and quotes none of it. */
  readPayload(given: unknown): Payload
}

export type JobContext = {
  id: string
  /** 1 for the first. */
  attempt: number
  /** Aborted when the service stops, when the time is up, or when another worker has taken the job over. */
  signal: AbortSignal
}
export type Handler = { job: Job<unknown>; perform(given: unknown, context: JobContext): Promise<unknown> }
export type Schedule = { job: Job<unknown>; key: string; cron: string; payload: unknown }

const usualSettings: JobSettings = {
  retries: 5,
  backoffSeconds: 30,
  maxBackoffSeconds: 3_600,
  timeoutSeconds: 900,
  concurrency: 1,
}

/** Names are `module.what-it-does`; they stand in the database, so renaming one leaves its waiting jobs behind. */
export function defineJob<Schema extends TSchema>(
  name: string,
  schema: Schema,
  settings: Partial<JobSettings> = {},
): Job<Static<Schema>> {
  const all = { ...usualSettings, ...settings }
  if (all.retries < 1) throw new RangeError(`${name}: a job needs one retry or more`)
  const compiled = Compile(schema)
  return {
    name,
    settings: all,
    readPayload(given) {
      if (compiled.Check(given)) return given
      const faults = compiled
        .Errors(given)
        .map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
      throw new TypeError(`the payload of ${name} is not valid: ${faults.join(', ')}`)
    },
  }
}

/**
 * What a job does. It is done at least once: a worker that dies, or a database that goes away, between the work and
 * its record has it done again. So it must be safe to run twice, and should give up soon when the signal is aborted.
 * Normal return: done. Error: tried again later, after the last attempt kept as a dead letter.
 */
export function handle<Payload>(
  job: Job<Payload>,
  work: (payload: Payload, context: JobContext) => Promise<unknown>,
): Handler {
  return { job, perform: async (given, context) => work(job.readPayload(given), context) }
}

/** After a failure of this one nobody tries again. */
export const isLastTry = ({ settings }: Job<unknown>, { attempt }: JobContext): boolean =>
  attempt > settings.retries

/**
 * Runs a job by the clock of Paris. One run per tick over all instances, up to a minute late; none while the one before
 * still waits or runs, and none for a tick at which no instance was up for a whole minute.
 */
export function schedule<Payload>(job: Job<Payload>, cron: string, payload: Payload): Schedule {
  const key = createHash('sha256')
    .update(JSON.stringify([cron, payload]))
    .digest('hex')
    .slice(0, 12)
  return { job, key, cron, payload: job.readPayload(payload) }
}
