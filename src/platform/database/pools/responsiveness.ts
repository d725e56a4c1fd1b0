import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { unavailable } from '../../errors.ts'
import type { Connection } from '../connection.ts'

export type Responsiveness = {
  /** The database does not respond at present. */
  readonly isUnresponsive: boolean
  /**
   * Waits for a response, at most until the database is known to be unresponsive, or the server to be another one
   * than the one that runs the statement. `pid`: the server process that runs it.
   */
  watch<T>(response: Promise<T>, pid?: number | null): Promise<T>
  /** Called when existing connections must not be used any more. */
  onUnresponsive(listener: () => void): void
  stop(): void
}

export type ResponsivenessTimes = { suspectMs: number; probeMs: number; retryMs: number }
export const defaultTimes: ResponsivenessTimes = { suspectMs: 2_000, probeMs: 1_000, retryMs: 1_000 }
/** Times for work that no request waits for: on a loaded machine, a new connection can take seconds. */
export const patientTimes: ResponsivenessTimes = { ...defaultTimes, probeMs: 20_000 }

/**
 * Detects an unresponsive database, for example behind a broken network, where every statement would wait for
 * its full timeout. It probes on a separate connection, which also tells a frozen primary from a slow statement:
 * behind a proxy, the probe reaches the new primary, where the process of the statement does not exist. States:
 * - responding → probing: a response has been outstanding for `suspectMs`;
 * - probing → responding: the probe gets any response, even a refusal; statements whose process is gone fail;
 * - probing → unresponsive: no response within `probeMs`; waiting statements fail, and new ones are refused
 *   immediately;
 * - unresponsive → probing: after `retryMs`, while statements are still refused.
 */
export function watchResponsiveness(
  connection: Connection,
  log: Pick<FastifyBaseLogger, 'warn'>,
  { suspectMs, probeMs, retryMs } = defaultTimes,
): Responsiveness {
  // By start, longest first.
  const waiting = new Map<(error: Error) => void, { since: number; pid: number | null }>()
  const listeners: (() => void)[] = []
  let state: 'responding' | 'unresponsive' | 'stopped' = 'responding'
  let isProbing = false
  let retry: NodeJS.Timeout | undefined
  let check: NodeJS.Timeout | undefined

  /** Sets one timer for the longest wait: a timer per statement would cost as much as a small read. */
  function scheduleCheck(ms: number) {
    check = setTimeout(() => {
      check = undefined
      const [longest] = waiting.values()
      if (longest === undefined) return
      const left = longest.since + suspectMs - performance.now()
      if (left <= 0) void probe()
      scheduleCheck(left > 0 ? left : suspectMs)
    }, ms).unref()
  }
  async function probe() {
    if (isProbing || state === 'stopped') return
    isProbing = true
    const before = state
    const suspects = [...waiting].filter(([, { since }]) => performance.now() - since >= suspectMs)
    const pids = suspects.flatMap(([, { pid }]) => pid ?? [])
    const { responds, gone } = await probeServer(connection, pids, probeMs)
    const after = responds ? 'responding' : 'unresponsive'
    isProbing = false
    // `stop` may have been called meanwhile.
    if (state !== before) return
    state = after
    const failed = suspects.filter(([, { pid }]) => pid !== null && gone.has(pid))
    if (failed.length > 0) {
      log.warn('statements wait for a server that is not the primary any more: their connections are dropped')
      for (const listener of listeners) listener()
      for (const [reject] of failed) reject(unavailable('the server that ran the statement is gone'))
    }
    if (after !== before)
      log.warn(after === 'unresponsive' ? unresponsiveReason : 'the database responds again')
    if (after === 'unresponsive') refuseAll()
  }
  function refuseAll() {
    for (const listener of listeners) listener()
    for (const reject of waiting.keys()) reject(unresponsive())
    retry = setTimeout(probe, retryMs).unref()
  }

  return {
    get isUnresponsive() {
      return state === 'unresponsive'
    },
    watch<T>(response: Promise<T>, pid: number | null = null) {
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      waiting.set(reject, { since: performance.now(), pid })
      if (check === undefined) scheduleCheck(suspectMs)
      response.then(resolve, reject).finally(() => waiting.delete(reject))
      return promise
    },
    onUnresponsive: (listener) => void listeners.push(listener),
    stop() {
      state = 'stopped'
      clearTimeout(retry)
      clearTimeout(check)
    },
  }
}

export const unresponsiveReason = 'the database does not respond'
export const unresponsive = () => unavailable(unresponsiveReason)

/**
 * Returns whether the server responds in time to a new connection, and which of these processes it does not have.
 * Behind a connection pooler the process ids are the pooler's own, so none is reported as gone.
 */
async function probeServer(
  connection: Connection,
  pids: number[],
  probeMs: number,
): Promise<{ responds: boolean; gone: Set<number> }> {
  const client = new pg.Client({
    ...connection,
    application_name: 'parvis',
    connectionTimeoutMillis: probeMs,
  })
  client.on('error', () => {})
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(resolve, probeMs, 'late')
  const connecting = client.connect().then(
    () => 'connected' as const,
    () => 'refused' as const,
  )
  const outcome = await Promise.race([late, connecting])
  const alive = outcome === 'connected' && pids.length > 0 ? findProcesses(client, pids) : null
  const found = await Promise.race([late, alive?.catch(() => null) ?? null])
  clearTimeout(timer)
  client.end().catch(() => {})
  const gone = found === 'late' || found === null ? [] : pids.filter((pid) => !found.has(pid))
  return { responds: outcome !== 'late', gone: new Set(gone) }
}

/** Returns null if the connection goes through a pooler. */
async function findProcesses(client: pg.Client, pids: number[]): Promise<Set<number> | null> {
  const { rows } = await client.query<{ own: number; alive: number[] }>(
    `select pg_backend_pid() as own,
       array(select pid from pg_stat_activity where pid = any($1::int[])) as alive`,
    [pids],
  )
  const [{ own, alive }] = rows as [{ own: number; alive: number[] }]
  return own === processOf(client) ? new Set(alive) : null
}

/** Returns the id that the server gave for cancelling; the types of pg do not have it. */
export const processOf = (client: pg.Client | pg.PoolClient): number | null =>
  (client as unknown as { processID: number | null }).processID
