import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { ApiError } from '../../errors.ts'
import type { Connection } from '../connection.ts'
import type { Statement } from '../pools/dialect.ts'
import { connectionLost, guardPool } from '../pools/guarded-pool.ts'
import { openPool } from '../pools/open-pool.ts'
import { type PoolLimits, setTimeouts } from '../pools/pools.ts'
import { unresponsiveReason, watchResponsiveness } from '../pools/responsiveness.ts'
import type { NewestChange } from './newest-change.ts'
import type { Position } from './position.ts'

export type ReadPool = 'reads' | 'lists'
type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>

export type Replica = {
  /** Runs a statement, if a replica has replayed the newest change; null if the primary has to. */
  read(pool: ReadPool, statement: Statement): Promise<pg.QueryResult | null>
  /** Whether a replica responded last, and had replayed the newest change. */
  readonly isUsed: boolean
  close(): Promise<void>
}
export type ReplicaOptions = {
  /** Connections of each of the two pools. */
  connections?: number
  maxPrepared?: number | undefined
  lookEveryMs?: number
  /** Visibility depends on the clock of the server. */
  maxClockDifferenceMs?: number
}
type Uses = {
  newest: NewestChange
  /** Resolves when the notifications of all changes committed before the call have arrived. */
  arrived: () => Promise<void>
  log: Log
}

/** As the pools of the primary, but a request falls back to it sooner. */
const limitsOfReads = { statementMs: 1_000, lockMs: 300 }
const times = { suspectMs: 500, probeMs: 500, retryMs: 1_000 }
/** How long a read waits for a connection before the primary serves it. */
const checkOutMs = 100
/** After this, a read tries a replica again that was behind. */
const behindMs = 10

type ServerState = { history: string | null; isRecovering: boolean; lsn: number; clock: number }
const readState = `
  select (select id from wal_timeline) as history, pg_is_in_recovery() as "isRecovering",
    (pg_last_wal_replay_lsn() - '0/0')::bigint as lsn,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as clock`

/**
 * Reads from the replicas behind one address. Each read is one transaction that first reports how far its server has
 * replayed; the rows of one that is behind are ignored. So it is right for whichever server responds. States:
 * - unused → used: a look, once a second, reaches a replica of the primary's present history;
 * - used → unused: a connection fails, or a server responds that is none;
 * - used → behind, for `behindMs`: it has not replayed the newest change.
 */
export function openReplica(
  connection: Connection,
  { newest, arrived, log }: Uses,
  {
    connections = 4,
    maxPrepared = 100,
    lookEveryMs = 1_000,
    maxClockDifferenceMs = 100,
  }: ReplicaOptions = {},
): Replica {
  const limits: PoolLimits = { ...limitsOfReads, max: connections }
  const named = warningsOfReplica(log)
  const responsiveness = watchResponsiveness(connection, named, times)
  const openOne = (name: ReadPool) => {
    const pool = openPool(connection, limits, { connectTimeoutMs: 3_000, isPooled: true, log: named })
    const checkOut = guardPool(pool, {
      ...{ name: `${name} of the replica`, maxPrepared, timeoutMs: checkOutMs, responsiveness },
      ...{ locked: null, setTimeouts: null },
    })
    return { pool, checkOut }
  }
  const pools = { reads: openOne('reads'), lists: openOne('lists') }
  const begin = `begin read only; ${setTimeouts(limits)}; ${readState}`
  let isUsed = false
  let isBehind = false
  let behindUntil = 0
  /** How far a server had replayed whose rows were returned. */
  let shown: Position = { history: '', lsn: 0 }
  /** Undefined before the first look. */
  let fault: string | null | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  /** Logs each change of the reason why it is not used. */
  function use(reason: string | null): null {
    isUsed = reason === null
    if (reason === fault || isClosed) return null
    fault = reason
    if (reason === null) log.info('the read replica is used')
    else log.warn(`the read replica is not used: ${reason}`)
    return null
  }

  /** Begins a transaction, reads the state of its server and the rows, and commits, in one round trip. */
  async function run(name: ReadPool, statement: Statement, needed: Position) {
    const client = await pools[name].checkOut()
    const sentAt = Date.now()
    const ended = await Promise.allSettled([
      client.begin(begin),
      client.query({ ...statement, inTransaction: true }),
      client.query({ ...plain, text: 'commit' }),
    ])
    const [begun, result] = ended
    const failed = ended.find((end) => end.status === 'rejected')
    if (failed !== undefined || begun.status === 'rejected' || result.status === 'rejected') {
      client.release()
      throw failed?.reason
    }
    const state = ([begun.value].flat().at(-1) as pg.QueryResult<ServerState>).rows[0] as ServerState
    const reason = faultOf(state, needed, { sentAt, maxClockDifferenceMs })
    // Behind a proxy, another connection may lead to another server.
    client.release(reason !== null)
    return { state, reason, result: result.value }
  }

  async function look() {
    const needed = newest.position()
    // While notifications are missed, nothing is read from it.
    if (needed === null) return
    try {
      const { state, reason } = await run('reads', { ...plain, text: 'select' }, needed)
      use(reason)
      isBehind = state.lsn < needed.lsn
    } catch (error) {
      if (isConnectionFailure(error)) use(reasonOf(error))
    }
  }
  async function repeat() {
    await look()
    if (!isClosed) timer = setTimeout(repeat, lookEveryMs).unref()
  }
  void repeat()

  return {
    async read(name, statement) {
      let needed = newest.position()
      if (needed === null || !isUsed || performance.now() < behindUntil) return null
      try {
        const { state, reason, result } = await run(name, statement, needed)
        if (reason !== null) return use(reason)
        if (shown.history === needed.history && state.lsn < shown.lsn) {
          // Another replica has shown changes that this one lacks and of which no notification has arrived.
          await arrived()
          needed = newest.position()
        }
        isBehind = needed === null || state.lsn < needed.lsn
        if (needed === null || isBehind) {
          behindUntil = performance.now() + behindMs
          return null
        }
        if (shown.history !== needed.history || shown.lsn < state.lsn)
          shown = { history: needed.history, lsn: state.lsn }
        return result
      } catch (error) {
        if (isConnectionFailure(error)) use(reasonOf(error))
        return null
      }
    },
    get isUsed() {
      return isUsed && !isBehind
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      responsiveness.stop()
      await Promise.all(Object.values(pools).map(({ pool }) => pool.end()))
    },
  }
}

/** Returns why a server must not be used; null if it may. */
function faultOf(
  { isRecovering, clock, ...state }: ServerState,
  { history }: Position,
  { sentAt, maxClockDifferenceMs }: { sentAt: number; maxClockDifferenceMs: number },
): string | null {
  const now = Date.now()
  if (!isRecovering) return 'it is no replica, or was promoted'
  if (Math.abs(clock - (sentAt + now) / 2) - (now - sentAt) / 2 > maxClockDifferenceMs)
    return 'its clock differs from that of this machine'
  if (state.history !== history)
    return 'it has not replayed the present timeline of the primary, or belongs to another database'
  return null
}

/** A statement that `run` sends in its transaction. */
const plain = { values: [], isPrepared: false, inTransaction: true }

/** Names the replica in the warnings of its connections. */
function warningsOfReplica(log: Log): Log {
  const warn = (fields: object | string, message?: string) =>
    typeof fields === 'string'
      ? log.warn(`read replica: ${fields}`)
      : log.warn(fields, `read replica: ${message}`)
  return { warn } as Log
}

/** Returns whether a server could not be reached, rather than refused or delayed one statement. */
function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const { cause } = error
  if (cause instanceof pg.DatabaseError) return /^(08...|57P0.|53300)$/.test(cause.code ?? '')
  return cause instanceof Error || cause === connectionLost || cause === unresponsiveReason
}

function reasonOf(error: unknown): string {
  const cause = error instanceof ApiError ? error.cause : error
  return cause instanceof Error
    ? cause.message || (cause as NodeJS.ErrnoException).code || cause.name
    : `${cause}`
}
