import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { unavailable } from '../../errors.ts'
import type { Connection } from '../connection.ts'

export type SilenceWatch = {
  /** The database does not respond at present. */
  readonly isSilent: boolean
  /** Waits for a response, at most until the database is known to be unresponsive. */
  hear<T>(answer: Promise<T>): Promise<T>
  onSilence(does: () => void): void
  stop(): void
}

export type SilenceTimes = { suspectMs: number; askMs: number; retryMs: number }
export const usualTimes: SilenceTimes = { suspectMs: 2_000, askMs: 1_000, retryMs: 1_000 }

/**
 * Detects an unresponsive database, for example behind a broken network, where every statement would wait for
 * its full timeout. It probes on a separate connection. States:
 * - responding → probing: a response has been outstanding for `suspectMs`;
 * - probing → responding: the probe gets any response, even a refusal;
 * - probing → unresponsive: no response within `askMs`; waiting statements fail, and new ones are refused
 *   immediately;
 * - unresponsive → probing: after `retryMs`, while statements are still refused.
 */
export function watchResponsiveness(
  connection: Connection,
  log: Pick<FastifyBaseLogger, 'warn'>,
  { suspectMs, askMs, retryMs } = usualTimes,
): SilenceWatch {
  // Start of each wait, longest first.
  const waiting = new Map<(error: Error) => void, number>()
  const listeners: (() => void)[] = []
  let state: 'answering' | 'silent' | 'stopped' = 'answering'
  let asking = false
  let retry: NodeJS.Timeout | undefined
  let look: NodeJS.Timeout | undefined

  /** Sets one timer for the longest wait: a timer per statement would cost as much as a small read. */
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
    // `stop` may have been called meanwhile.
    if (state !== before) return
    state = after
    if (after !== before)
      log.warn(after === 'silent' ? 'the database does not respond' : 'the database responds again')
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

export const silent = () => unavailable('the database does not respond')

/** Returns whether the server responds in time to a new connection. */
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
