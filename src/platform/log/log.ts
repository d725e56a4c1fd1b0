import { type DestinationStream, type Logger, type LoggerOptions, levels, pino, stdSerializers } from 'pino'
import { batchedLines } from './batched-lines.ts'

export type Log = Logger

/**
 * Creates the log: one JSON line per event, readable on a terminal. Secrets and personal data are redacted everywhere.
 * `instance`: the number that each line carries with WORKERS.
 */
export function createLog(
  level: string,
  destination: DestinationStream = standardOutput(),
  instance: number | null = null,
): Log {
  const options: LoggerOptions = {
    level,
    base: instance === null ? null : { instance },
    redact: {
      paths: ['authorization', 'token', 'password', 'secret', 'cookie'].flatMap((name) => [
        name,
        `*.${name}`,
        `*.*.${name}`,
      ]),
      censor: '[redacted]',
    },
    serializers: { err: serializeError },
  }
  const log = pino(options, destination)
  destinations.set(log, { log, destination, base: instance === null ? '' : `"instance":${instance},` })
  return log
}

let opened: DestinationStream | null = null

function standardOutput(maxBytes = Number.POSITIVE_INFINITY): DestinationStream {
  opened ??= process.stdout.isTTY ? readable(process.stdout) : batchedLines(pino.destination(), { maxBytes })
  return opened
}

/** Standard output of several processes: a pipe takes writes of this length whole, so that no lines are mixed. */
export const sharedOutput = () => standardOutput(4_096)

/**
 * Writes `info` lines from fields that are already JSON, for lines so frequent that serialising objects would be a
 * tenth of their cost. They are not redacted.
 */
export function infoLines(log: Pick<Log, 'info'>): (fields: string) => void {
  const made = destinations.get(log)
  // The logger was not created by `createLog`.
  if (made === undefined) return (fields) => log.info(JSON.parse(`{${fields}}`))
  if (!made.log.isLevelEnabled('info')) return () => {}
  return (fields) => made.destination.write(`{"level":30,"time":${Date.now()},${made.base}${fields}}\n`)
}

const destinations = new WeakMap<object, { log: Log; destination: DestinationStream; base: string }>()

export type Warn = (error?: unknown) => void

/** Logs a recurring message once a minute. */
export function warnOncePerMinute(log: Pick<Log, 'warn'>, message: string): Warn {
  let silentUntil = 0
  return (error) => {
    const now = performance.now()
    if (now < silentUntil) return
    silentUntil = now + 60_000
    log.warn(error === undefined ? {} : { err: error }, message)
  }
}

/**
 * Keeps only the explanation of an error: a database error quotes rows in its detail, and some errors carry the
 * request.
 */
function serializeError(error: Error) {
  const { type, message, stack } = stdSerializers.err(error)
  const { code, constraint, cause } = error as Error & { code?: string; constraint?: string }
  return {
    type,
    message,
    stack,
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    ...(cause instanceof Error && { cause: cause.message }),
  }
}

type Output = { write(text: string): unknown }

/** Formats each JSON line for people: time, level, message, then the rest as `name=value`. */
export function readable(output: Output) {
  return { write: (line: string) => void output.write(`${format(line)}\n`) }
}

function format(line: string): string {
  const { time, level, msg, method, route, status, ms, err, ...rest } = JSON.parse(line)
  const clock = new Date(time).toTimeString().slice(0, 8)
  const request = method && `${method} ${route ?? '(no route)'} ${status}`
  const duration = ms === undefined ? '' : `${ms} ms`
  const others = Object.entries(rest).map(([name, value]) => `${name}=${textOf(value)}`)
  const label = (levels.labels[level] ?? '').padEnd(5)
  const words = [clock, label, msg ?? '', request ?? '', duration, ...others]
  return [words.filter(Boolean).join(' '), ...(err ? [err.stack ?? err.message] : [])].join('\n')
}

/** Quotes a value that is not a single word. */
const textOf = (value: unknown) =>
  typeof value === 'string' && /^[!-~]+$/.test(value) ? value : JSON.stringify(value)
