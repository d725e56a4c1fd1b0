import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { unavailable } from '../../errors.ts'
import type { Connection } from '../connection.ts'

export type SilenceWatch = {
  /** What is sent now is not answered. */
  readonly isSilent: boolean
  /** Waits for an answer of the database, though no longer than until it is known to be silent. */
  hear<T>(answer: Promise<T>): Promise<T>
  onSilence(does: () => void): void
  stop(): void
}

export type SilenceTimes = { suspectMs: number; askMs: number; retryMs: number }
export const usualTimes: SilenceTimes = { suspectMs: 2_000, askMs: 1_000, retryMs: 1_000 }

/**
 * A database that refuses says so at once; one that is silent, as behind a broken network, costs each caller all its
 * patience. So it is asked, on a connection made for the question:
 * - answering → asked: an answer has been awaited for `suspectMs`;
 * - asked → answering: it says anything, were it that it refuses;
 * - asked → silent: it says nothing for `askMs`; who waits is told so, and whoever comes is refused at once;
 * - silent → asked: `retryMs` later, while all others are still refused.
 */
export function watchSilence(
  connection: Connection,
  log: Pick<FastifyBaseLogger, 'warn'>,
  { suspectMs, askMs, retryMs } = usualTimes,
): SilenceWatch {
  // Since when each waits, the longest first.
  const waiting = new Map<(error: Error) => void, number>()
  const listeners: (() => void)[] = []
  let state: 'answering' | 'silent' | 'stopped' = 'answering'
  let asking = false
  let retry: NodeJS.Timeout | undefined
  let look: NodeJS.Timeout | undefined

  /** One look after whoever waits longest: a timer for each would cost as much as a small read. */
  function lookIn(ms: number) {
    look = setTimeout(() => {
      look = undefined
      const [since] = waiting.values()
      if (since === undefined) return
      const left = since + suspectMs - performance.now()
      if (left <= 0) void ask()
      lookIn(left > 0 ? left : suspectMs)
    }, ms).unref()
  }
  async function ask() {
    if (asking || state === 'stopped') return
    asking = true
    const before = state
    const after = (await answers(connection, askMs)) ? 'answering' : 'silent'
    asking = false
    // It may have been stopped meanwhile.
    if (state !== before) return
    state = after
    if (after !== before)
      log.warn(after === 'silent' ? 'the database is silent' : 'the database answers again')
    if (after === 'silent') beSilent()
  }
  function beSilent() {
    for (const does of listeners) does()
    for (const tell of waiting.keys()) tell(silent())
    retry = setTimeout(ask, retryMs).unref()
  }

  return {
    get isSilent() {
      return state === 'silent'
    },
    hear<T>(answer: Promise<T>) {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      waiting.set(reject, performance.now())
      if (look === undefined) lookIn(suspectMs)
      answer.then(resolve, reject).finally(() => waiting.delete(reject))
      return promise
    },
    onSilence: (does) => void listeners.push(does),
    stop() {
      state = 'stopped'
      clearTimeout(retry)
      clearTimeout(look)
    },
  }
}

export const silent = () => unavailable('the database is silent')

/** Whether it says anything in time to who wants to enter. */
async function answers(connection: Connection, askMs: number): Promise<boolean> {
  const client = new pg.Client({
    ...connection,
    application_name: 'parvis',
    connectionTimeoutMillis: askMs,
  })
  client.on('error', () => {})
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, askMs, false)
  const heard = () => true
  const answer = await Promise.race([late, client.connect().then(heard, heard)])
  clearTimeout(timer)
  client.end().catch(() => {})
  return answer
}
