import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../database/connect.ts'
import type { Connection } from '../database/connection.ts'

const changesChannel = 'parvis_changes'
const nonceChannel = 'parvis_nonces'

export type Changes = {
  /** Increases with every change of these tables; null while changes may be missed and nothing may be cached. */
  generationOf(tables: readonly string[]): number | null
  /** Resolves when every change committed before the call has been heard. */
  heard(): Promise<void>
  close(): Promise<void>
}

/** Sends a notification, on another connection than the one that listens. */
export type Notify = (channel: string, payload: string) => Promise<unknown>
export type ListenTimes = {
  askEveryMs: number
  answerMs: number
  retryMs: number
  confirmEveryMs: number
  deafRetryMs: number
}
const usualTimes: ListenTimes = {
  askEveryMs: 1_000,
  answerMs: 1_000,
  retryMs: 500,
  confirmEveryMs: 10_000,
  deafRetryMs: 30_000,
}

/** For the database as the service has it. */
export const notifyOn =
  (db: Database): Notify =>
  (channel, payload) =>
    sql`select pg_notify(${channel}, ${payload})`.execute(db)

/**
 * Listens for changes of tables, whoever makes them: triggers notify of each commit. The connection is
 * - lost → listening: PostgreSQL has accepted `LISTEN`, which a pool in transaction mode does too and then passes nothing on;
 * - listening → confirmed: a nonce that another connection sent has arrived. What was missed before is unknown, so all
 *   generations grow;
 * - confirmed → lost: it is closed, does not answer for `answerMs`, or a nonce does not arrive; retried `retryMs` later;
 * - listening → lost: the nonce does not arrive. Retried `deafRetryMs` later.
 */
export function watchChanges(
  connection: Connection,
  notify: Notify,
  log: Pick<FastifyBaseLogger, 'warn'>,
  times: Partial<ListenTimes> = {},
): Changes {
  const { askEveryMs, answerMs, retryMs, confirmEveryMs, deafRetryMs } = { ...usualTimes, ...times }
  const generations = new Map<string, number>()
  let missed = 0
  let client: pg.Client | null = null
  let isConfirmed = false
  let confirmAt = 0
  let isKnownDeaf = false
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let asked: Promise<void> | null = null
  let next: Promise<void> | null = null
  let expected: { nonce: string; arrived: () => void } | null = null

  function hear({ channel, payload = '' }: pg.Notification) {
    if (channel === changesChannel) generations.set(payload, (generations.get(payload) ?? 0) + 1)
    else if (payload === expected?.nonce) expected.arrived()
  }
  function lose(listener: pg.Client, retryInMs = retryMs) {
    if (client !== listener) return
    client = null
    if (isConfirmed && !closed) log.warn('LISTEN connection lost: cache disabled until it is back')
    isConfirmed = false
    missed++
    // A dead socket would delay the end.
    listener.end().catch(() => {})
    ;(listener as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    clearTimeout(timer)
    if (!closed) timer = setTimeout(listen, retryInMs).unref()
  }
  async function listen() {
    const listener = new pg.Client({
      ...connection,
      application_name: 'parvis-changes',
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
    })
    client = listener
    listener.on('error', () => lose(listener)).on('end', () => lose(listener))
    listener.on('notification', hear)
    try {
      await listener.connect()
      await listener.query(`listen ${changesChannel}; listen ${nonceChannel}`)
    } catch {
      return lose(listener)
    }
    await confirm(listener)
    if (client !== listener) return
    // Not sent: the database is busy or lost, which says nothing about this connection.
    if (confirmAt === 0) return lose(listener)
    isConfirmed = true
    isKnownDeaf = false
    missed++
    askAgainLater()
  }
  function askAgainLater() {
    if (!isConfirmed) return
    timer = setTimeout(() => heard().then(askAgainLater), askEveryMs).unref()
  }
  /**
   * Has another connection send a nonce, and waits for it; loses the connection if it does not arrive. Nothing is sent on
   * the connection itself meanwhile: behind a pool, a statement could bring the nonce along by chance.
   */
  async function confirm(listener: pg.Client): Promise<void> {
    confirmAt = 0
    const { promise: arrival, resolve: arrived } = Promise.withResolvers<void>()
    expected = { nonce: crypto.randomUUID(), arrived }
    const sending = notify(nonceChannel, expected.nonce)
    const isSent = await inTime(sending)
    const hasArrived = isSent && (await inTime(arrival))
    expected = null
    if (hasArrived) confirmAt = performance.now() + confirmEveryMs
    if (!isSent || hasArrived || client !== listener || closed) return
    if (!isKnownDeaf)
      log.warn(
        'notifications do not arrive, as behind a connection pool in transaction mode: cache disabled, see "Behind PgBouncer"',
      )
    isKnownDeaf = true
    isConfirmed = false
    lose(listener, deafRetryMs)
  }
  /** PostgreSQL sends the notifications that are due before it answers. */
  async function ask(): Promise<void> {
    const listener = client
    if (!isConfirmed || listener === null) return
    if (performance.now() > confirmAt) {
      await confirm(listener)
      // A nonce arrives after all that was committed before it was sent.
      if (confirmAt > 0 || client !== listener) return
    }
    if (!(await inTime(listener.query('select')))) lose(listener)
  }
  async function inTime(work: Promise<unknown>): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<boolean>()
    const waiting = setTimeout(resolve, answerMs, false)
    const done = work.then(
      () => true,
      () => false,
    )
    return Promise.race([done, late]).finally(() => clearTimeout(waiting))
  }
  /** Runs one check at a time: callers during a check share the next one. */
  function heard(): Promise<void> {
    if (asked === null) {
      asked = ask().finally(() => {
        asked = null
      })
      return asked
    }
    next ??= asked.then(() => {
      next = null
      return heard()
    })
    return next
  }

  void listen()
  return {
    generationOf(tables) {
      if (!isConfirmed) return null
      let sum = missed
      for (const table of tables) sum += generations.get(table) ?? 0
      return sum
    },
    heard,
    async close() {
      closed = true
      clearTimeout(timer)
      isConfirmed = false
      const listener = client
      client = null
      await listener?.end().catch(() => {})
    },
  }
}
