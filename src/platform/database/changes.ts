import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import type { JobsRole } from '../config/config.ts'
import { version } from '../config/version.ts'
import type { Database } from './connect.ts'
import type { Connection } from './connection.ts'

const changesChannel = 'parvis_changes'
const nonceChannel = 'parvis_nonces'

export type Changes = {
  /**
   * Increases with every change that is notified under one of these tags: a table, or `table:…` for some of its
   * rows. Null while changes may be missed and nothing may be cached.
   */
  generationOf(tags: readonly string[]): number | null
  /** Resolves when the notifications of all changes committed before the call have arrived. */
  arrived(): Promise<void>
  close(): Promise<void>
}

/** Follows the changes of which an instance is notified. */
export type WatchedChanges = {
  /** Notifications arrive from now on. */
  listening(): void
  notified(tag: string): void
  lost(): void
}

/** Sends a notification, on another connection than the one that listens. */
export type Notify = (channel: string, payload: string) => Promise<unknown>
export type ListenTimes = {
  checkEveryMs: number
  responseTimeoutMs: number
  retryMs: number
  confirmEveryMs: number
  unconfirmedRetryMs: number
}
const defaultTimes: ListenTimes = {
  checkEveryMs: 1_000,
  responseTimeoutMs: 1_000,
  retryMs: 500,
  confirmEveryMs: 10_000,
  unconfirmedRetryMs: 30_000,
}

/** Names the connection: the system page lists instances by it. */
const nameOf = (jobs: JobsRole) => `parvis-changes ${version}${jobs === 'on' ? '' : ` jobs=${jobs}`}`

/** Creates a `Notify` that uses the service's connection pool. */
export const notifyOn =
  (db: Database): Notify =>
  (channel, payload) =>
    sql`select pg_notify(${channel}, ${payload})`.execute(db)

/**
 * Listens for table changes by any process: triggers notify on each commit. States of the connection:
 * - lost → listening: PostgreSQL has accepted `LISTEN`. A pool in transaction mode accepts it too, but
 *   forwards nothing;
 * - listening → confirmed: a nonce sent on another connection has arrived. Earlier notifications may be lost,
 *   so all generations increase;
 * - confirmed → lost: closed, no response for `responseTimeoutMs`, or a nonce does not arrive. Retried after
 *   `retryMs`;
 * - listening → lost: the nonce does not arrive. Retried after `unconfirmedRetryMs`.
 */
export function watchChanges(
  connection: Connection,
  notify: Notify,
  log: Pick<FastifyBaseLogger, 'warn'>,
  {
    jobs = 'on',
    watchers = [],
    ...times
  }: Partial<ListenTimes> & { jobs?: JobsRole; watchers?: readonly WatchedChanges[] } = {},
): Changes {
  const { checkEveryMs, responseTimeoutMs, retryMs, confirmEveryMs, unconfirmedRetryMs } = {
    ...defaultTimes,
    ...times,
  }
  const counts = countByTag()
  let missed = 0
  let client: pg.Client | null = null
  let isConfirmed = false
  let confirmAt = 0
  let isWarned = false
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let expected: { nonce: string; resolve: () => void } | null = null

  function receive({ channel, payload = '' }: pg.Notification) {
    if (channel === changesChannel) {
      counts.increase(payload)
      for (const watcher of watchers) watcher.notified(payload)
    } else if (payload === expected?.nonce) expected.resolve()
  }
  function disconnect(listener: pg.Client, retryInMs = retryMs) {
    if (client !== listener) return
    client = null
    if (isConfirmed && !closed) log.warn('LISTEN connection lost: cache disabled until it is back')
    isConfirmed = false
    for (const watcher of watchers) watcher.lost()
    missed++
    // Destroys the socket, because a dead one would delay `end()`.
    listener.end().catch(() => {})
    ;(listener as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    clearTimeout(timer)
    if (!closed) timer = setTimeout(listen, retryInMs).unref()
  }
  async function listen() {
    const listener = new pg.Client({
      ...connection,
      application_name: nameOf(jobs),
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
    })
    client = listener
    listener.on('error', () => disconnect(listener)).on('end', () => disconnect(listener))
    listener.on('notification', receive)
    try {
      await listener.connect()
      await listener.query(`listen ${changesChannel}; listen ${nonceChannel}`)
    } catch {
      return disconnect(listener)
    }
    await confirm(listener)
    if (client !== listener) return
    // The nonce was not sent: the database is busy or unavailable, which says nothing about this connection.
    if (confirmAt === 0) return disconnect(listener)
    isConfirmed = true
    isWarned = false
    missed++
    for (const watcher of watchers) watcher.listening()
    scheduleCheck()
  }
  function scheduleCheck() {
    if (!isConfirmed) return
    timer = setTimeout(() => arrived().then(scheduleCheck), checkEveryMs).unref()
  }
  /**
   * Sends a nonce on another connection and waits for it; drops this connection if it does not arrive. Sends
   * nothing on this connection meanwhile: behind a pool, a statement could deliver the nonce by chance.
   */
  async function confirm(listener: pg.Client): Promise<void> {
    confirmAt = 0
    const { promise: arrival, resolve } = Promise.withResolvers<void>()
    expected = { nonce: crypto.randomUUID(), resolve }
    const sending = notify(nonceChannel, expected.nonce)
    const isSent = await endsIn(responseTimeoutMs, sending)
    const hasArrived = isSent && (await endsIn(responseTimeoutMs, arrival))
    expected = null
    if (hasArrived) confirmAt = performance.now() + confirmEveryMs
    if (!isSent || hasArrived || client !== listener || closed) return
    if (!isWarned)
      log.warn(
        'notifications do not arrive, as behind a connection pooler in transaction mode: cache disabled, set DIRECT_DATABASE_URL',
      )
    isWarned = true
    isConfirmed = false
    disconnect(listener, unconfirmedRetryMs)
  }
  /** Runs a query on the connection: PostgreSQL sends pending notifications before its response. */
  async function check(): Promise<void> {
    const listener = client
    if (!isConfirmed || listener === null) return
    if (performance.now() > confirmAt) {
      await confirm(listener)
      // A nonce arrives after the notifications of all earlier commits.
      if (confirmAt > 0 || client !== listener) return
    }
    if (!(await endsIn(responseTimeoutMs, listener.query('select')))) disconnect(listener)
  }
  const arrived = oneAtATime(check)

  void listen()
  return {
    generationOf: (tags) => (isConfirmed ? missed + counts.sumOf(tags) : null),
    arrived,
    async close() {
      closed = true
      clearTimeout(timer)
      isConfirmed = false
      for (const watcher of watchers) watcher.lost()
      const listener = client
      client = null
      await listener?.end().catch(() => {})
    },
  }
}

/** Returns whether the work succeeds in this time. */
async function endsIn(ms: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const waiting = setTimeout(resolve, ms, false)
  const done = work.then(
    () => true,
    () => false,
  )
  return Promise.race([done, late]).finally(() => clearTimeout(waiting))
}

/** Runs one check at a time: callers during a check share the next one. */
function oneAtATime(check: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | null = null
  let next: Promise<void> | null = null
  return function run(): Promise<void> {
    if (current === null) {
      current = check().finally(() => {
        current = null
      })
      return current
    }
    next ??= current.then(() => {
      next = null
      return run()
    })
    return next
  }
}

/** Number of counts for tags of rows: 0.5 MB. */
const hashed = 65_536

/**
 * Counts changes by tag. Tables have a count each; tags of rows, of which there are any number, share a fixed
 * number of counts by their hash: a change may invalidate too much, never too little.
 */
function countByTag() {
  const ofTables = new Map<string, number>()
  const ofRows = new Float64Array(hashed)
  return {
    increase(tag: string) {
      if (!tag.includes(':')) ofTables.set(tag, (ofTables.get(tag) ?? 0) + 1)
      else ofRows[hashOf(tag)] = (ofRows[hashOf(tag)] ?? 0) + 1
    },
    sumOf(tags: readonly string[]): number {
      let sum = 0
      for (const tag of tags) sum += (tag.includes(':') ? ofRows[hashOf(tag)] : ofTables.get(tag)) ?? 0
      return sum
    },
  }
}

/** Returns the place of a tag among the counts: its hash by FNV-1a, folded. */
function hashOf(tag: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < tag.length; at++) hash = Math.imul(hash ^ tag.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 16)) & (hashed - 1)
}
