import { isatty } from 'node:tty'

type Close = () => unknown
/** Registers what closes something that was opened: it runs before all that were registered earlier, or after all others. */
export type OnOpened = (close: Close, options?: { isLast: boolean }) => void

/** Runs after the signal, before anything is closed; may take several seconds. */
type Announce = () => unknown

export type Stop = {
  /** The signal; null until one arrives. */
  readonly signal: NodeJS.Signals | null
  readonly asked: Promise<void>
  /** Time since the signal. */
  readonly ms: number
}

/**
 * Runs until SIGTERM or SIGINT, the terminal is closed (SIGHUP), or `stop` asks; announces the shutdown, closes what was opened in reverse order,
 * and exits with 0, or 1 when something failed to close, at the latest after `closingMs`. A failed start closes what it had opened and throws.
 */
export async function runUntilStopped(
  start: (opened: OnOpened, stop: Stop) => Promise<Announce>,
  { stop = firstSignal(), closingMs = 9_500 } = {},
): Promise<never> {
  const closers: Close[] = []
  let status = 0
  // One failure does not prevent the others from closing.
  const closeAll = async () => {
    for (let close = closers.pop(); close !== undefined; close = closers.pop()) {
      try {
        await close()
      } catch (error) {
        process.stderr.write(`While closing: ${(error as Error).message}\n`)
        status = 1
      }
    }
  }
  const opened: OnOpened = (close, { isLast } = { isLast: false }) => {
    if (isLast) closers.unshift(close)
    else closers.push(close)
    if (stop.signal !== null) throw new Error('stopped while starting')
  }
  let announce: Announce = () => {}
  const starting = start(opened, stop).then((started) => {
    announce = started
  })
  try {
    await Promise.race([starting.then(() => stop.asked), stop.asked])
  } catch (error) {
    await closeAll()
    throw error
  }
  await announce()
  setTimeout(() => process.exit(status), closingMs)
  await closeAll()
  // A start interrupted by the signal ends at its next step; what that step opened is closed too.
  await starting.catch(() => {})
  await closeAll()
  process.exit(status)
}

/**
 * Waits for the first signal. One Ctrl-C reaches npm's child twice: only a signal 1 s later exits
 * immediately.
 */
function firstSignal(): Stop {
  const { stop, ask } = createStop()
  const receive = (signal: NodeJS.Signals) => {
    ask(signal)
    // The system and the shell each send SIGHUP, at any distance.
    // A supervisor passes on what also reached its instances, and decides for them.
    if (signal !== 'SIGHUP' && stop.ms >= 1_000 && process.send === undefined) process.exit(1)
  }
  if (isAtTerminal())
    process.on('SIGHUP', () => {
      // Nothing can be written any more, which must not prevent PostgreSQL from being stopped.
      for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
      receive('SIGHUP')
    })
  // Node forgets that `nohup` had it ignored, but `nohup` leaves no terminal.
  else process.on('SIGHUP', () => {})
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    const before = process.listeners(name)
    // Adds the new listener first: a signal that arrives without a listener would be lost.
    process.on(name, receive)
    for (const listener of before) process.off(name, listener)
  }
  return stop
}

/** Returns whether Ctrl-C or closing a terminal can end this process. */
export const isAtTerminal = () => isatty(0) || process.stdout.isTTY

/** Creates a stop that `ask` requests; only its first call counts. */
export function createStop() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let first: { signal: NodeJS.Signals; at: number } | null = null
  const stop: Stop = {
    asked: promise,
    get signal() {
      return first?.signal ?? null
    },
    get ms() {
      return first === null ? 0 : performance.now() - first.at
    },
  }
  const ask = (signal: NodeJS.Signals) => {
    first ??= { signal, at: performance.now() }
    resolve()
  }
  return { stop, ask }
}
