import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { ApiError } from '../../errors.ts'
import type { Connection } from '../connection.ts'
import type { Statement } from '../pools/dialect.ts'
import { connectionLost } from '../pools/guarded-pool.ts'
import { unresponsiveReason } from '../pools/responsiveness.ts'
import { type ClockReading, databaseId, type Position } from './position.ts'
import { openReads, plain, type ReadPool, type ServerState } from './reads.ts'
import type { RequiredPositions } from './required-positions.ts'

export type Replica = {
  /**
   * Runs a statement on a replica that has replayed at least this position; null if the primary has to. `required`
   * returns the position that is required by now.
   */
  read(pool: ReadPool, statement: Statement, required: () => Position | null): Promise<pg.QueryResult | null>
  /** Runs a statement on a replica, however far it has replayed; null if none responds that was trusted last. */
  readUnchecked(pool: ReadPool, statement: Statement): Promise<pg.QueryResult | null>
  /** Whether one responds, and how far it was behind the primary at the last look. */
  readonly state: { isAvailable: boolean; lagBytes: number; lagSeconds: number }
  close(): Promise<void>
}

export type ReplicaOptions = {
  /** Connections of each of the two pools. */
  connections?: number
  maxPrepared?: number | undefined
  lookEveryMs?: number
  /** Visibility depends on the database's clock, so the clocks of primary and replica must agree. */
  maxClockDifferenceMs?: number
}
type Uses = {
  positions: RequiredPositions
  /** Resolves when the notifications of all changes committed before the call have arrived. */
  arrived: () => Promise<void>
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/** After this, a read tries a replica again that was behind. */
const behindMs = 20

/**
 * Reads from the replicas behind one address. Each read is one transaction that first reports how far its server has
 * replayed; the rows of one that is behind are ignored. So it is right for whichever server responds. States:
 * - unavailable → available: a look, once a second, reaches a server of this database;
 * - available → unavailable: a connection fails or stays without a response. Nothing is sent until the next look.
 *
 * While available, it is
 * - behind, for `behindMs`: it had not replayed what a read required;
 * - distrusted, until the next look: it is no replica, or not of the primary's present history (a timeline that ended),
 *   or its clock differs.
 */
export function openReplica(
  connection: Connection,
  { positions, arrived, log }: Uses,
  {
    connections = 4,
    maxPrepared = 100,
    lookEveryMs = 1_000,
    maxClockDifferenceMs = 100,
  }: ReplicaOptions = {},
): Replica {
  const { run, end } = openReads(connection, { connections, maxPrepared, log }, faultOf)
  let database: string | null = null
  let isAvailable = false
  let isDistrusted = false
  let behindUntil = 0
  let replayed: Position | null = null
  let primaryClock: ClockReading | null = null
  let lag = { lagBytes: 0, lagSeconds: 0 }
  /** Undefined before the first look. */
  let fault: string | null | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  /** Logs each change of the reason why it is not used. */
  function report(reason: string | null) {
    if (reason === fault || isClosed) return
    fault = reason
    if (reason === null) log.info('the read replica is used')
    else log.warn(`the read replica is not used: ${reason}`)
  }
  function fail(error: unknown) {
    isAvailable = false
    report(reasonOf(error))
  }

  function faultOf({ isRecovering }: ServerState, { aheadMs, uncertaintyMs }: ClockReading): string | null {
    if (!isRecovering) return 'it is no replica, or was promoted'
    if (primaryClock === null) return null
    const differenceMs = Math.abs(aheadMs - primaryClock.aheadMs) - uncertaintyMs - primaryClock.uncertaintyMs
    return differenceMs > maxClockDifferenceMs ? 'its clock differs from that of the primary' : null
  }
  function distrust(reason: string): null {
    isDistrusted = true
    report(reason)
    return null
  }

  async function look() {
    try {
      // While the primary is unavailable, its last position and identity count.
      const position = await positions.refresh().catch(() => null)
      if (position !== null) {
        database = position.database
        primaryClock = position.clock
      }
      const found = await run('reads', { ...plain, text: `select ${databaseId} as database` })
      if (database === null || isClosed) return
      isAvailable = found.result.rows[0]?.database === database
      if (!isAvailable) return report('it belongs to another database or cluster than DATABASE_URL')
      if (position !== null) {
        const lagBytes = found.state.isRecovering ? Math.max(0, position.lsn - found.state.lsn) : 0
        lag = { lagBytes, lagSeconds: lagBytes === 0 ? 0 : (found.state.replayedAgo ?? 0) }
        if (found.state.history !== position.history) found.distrust ??= otherHistory
        isDistrusted = found.distrust !== null
        report(found.distrust)
      } else if (!isDistrusted) {
        // While the primary is unavailable, one that is promoted may be about to replace it.
        report(null)
      }
    } catch (error) {
      // All connections are in use, or the first one is being opened.
      if (!isBusy(error)) fail(error)
    }
  }
  async function repeat() {
    await look()
    if (!isClosed) timer = setTimeout(repeat, lookEveryMs).unref()
  }
  void repeat()

  return {
    async read(name, statement, required) {
      const needed = required()
      if (needed === null || !isAvailable || isDistrusted) return null
      const isBehind = (lsn: number, by: Position) => lsn < by.lsn
      const before = replayed?.history === needed.history ? replayed : null
      if (performance.now() < behindUntil && (before === null || isBehind(before.lsn, needed))) return null
      try {
        const { state, result, distrust: reason } = await run(name, statement)
        if (reason !== null) return distrust(reason)
        if (state.history !== needed.history) return distrust(otherHistory)
        if (isBehind(state.lsn, needed)) {
          behindUntil = performance.now() + behindMs
          return null
        }
        if (before !== null && isBehind(state.lsn, before)) {
          // Another replica has shown changes that this one lacks and of which no notification has arrived.
          await arrived()
          const now = required()
          if (now === null || now.history !== state.history || isBehind(state.lsn, now)) return null
        }
        if (replayed?.history !== needed.history || replayed.lsn < state.lsn)
          replayed = { history: needed.history, lsn: state.lsn }
        return result
      } catch (error) {
        if (isConnectionFailure(error)) fail(error)
        return null
      }
    },
    async readUnchecked(name, statement) {
      if (!isAvailable || isDistrusted) return null
      try {
        return (await run(name, statement)).result
      } catch (error) {
        if (isConnectionFailure(error)) fail(error)
        return null
      }
    },
    get state() {
      return { isAvailable: isAvailable && !isDistrusted, ...lag }
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await end()
    },
  }
}

const otherHistory = 'it has not replayed the present timeline of the primary'

/** Returns whether a server could not be reached, rather than refused or delayed one statement. */
export function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const { cause } = error
  if (cause instanceof pg.DatabaseError) return /^(08...|57P0.|53300)$/.test(cause.code ?? '')
  return cause instanceof Error || cause === connectionLost || cause === unresponsiveReason
}

const isBusy = (error: unknown) =>
  error instanceof ApiError && typeof error.cause === 'string' && !isConnectionFailure(error)

function reasonOf(error: unknown): string {
  const cause = error instanceof ApiError ? error.cause : error
  return cause instanceof Error
    ? cause.message || (cause as NodeJS.ErrnoException).code || cause.name
    : `${cause}`
}
