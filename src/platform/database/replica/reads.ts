import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { Connection } from '../connection.ts'
import type { Statement } from '../pools/dialect.ts'
import { guardPool } from '../pools/guarded-pool.ts'
import { openPool } from '../pools/open-pool.ts'
import { type PoolLimits, setTimeouts } from '../pools/pools.ts'
import { watchResponsiveness } from '../pools/responsiveness.ts'
import { type ClockReading, clockMs, clockReading } from './position.ts'

export type ReadPool = 'reads' | 'lists'

/** As the pools of the primary, but a request falls back to it sooner. */
const defaultLimits = { statementMs: 1_000, lockMs: 300 }
const defaultTimes = { suspectMs: 500, probeMs: 500, retryMs: 1_000 }
/** How long a read waits for a connection before the primary serves it. */
const checkOutMs = 100

export type ServerState = {
  history: string | null
  isRecovering: boolean
  lsn: number
  clock: number
  replayedAgo: number
}
const readState = `
  select (select id from wal_timeline) as history, pg_is_in_recovery() as "isRecovering",
    (pg_last_wal_replay_lsn() - '0/0')::bigint as lsn, ${clockMs} as clock,
    extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as "replayedAgo"`

type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>
type Options = {
  /** Connections of each of the two pools. */
  connections: number
  maxPrepared: number
  log: Log
}

/**
 * Opens the connections to the replicas. `run` begins a transaction, reads its server's state and the rows, and commits, in
 * one round trip. `faultOf` returns why that server is not to be trusted; null if it is.
 */
export function openReads(
  connection: Connection,
  { connections, maxPrepared, log }: Options,
  faultOf: (state: ServerState, clock: ClockReading) => string | null,
) {
  const limits: PoolLimits = { ...defaultLimits, max: connections }
  const named = warningsOfReplica(log)
  const responsiveness = watchResponsiveness(connection, named, defaultTimes)
  const pools = mapPools(() =>
    openPool(connection, limits, { connectTimeoutMs: 3_000, isPooled: true, log: named }),
  )
  const checkOuts = mapPools((name) =>
    guardPool(pools[name], {
      ...{ name: `${name} of the replica`, maxPrepared, timeoutMs: checkOutMs, responsiveness },
      ...{ locked: null, setTimeouts: null },
    }),
  )
  const begin = `begin read only; ${setTimeouts(limits)}; ${readState}`
  return {
    async run(name: ReadPool, statement: Statement) {
      const client = await checkOuts[name]()
      const sentAt = performance.now()
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
      const distrust = faultOf(state, clockReading(state.clock, sentAt))
      // Behind a proxy, another connection may lead to another server.
      client.release(distrust !== null)
      return { state, distrust, result: result.value }
    },
    async end() {
      responsiveness.stop()
      await Promise.all(Object.values(pools).map((pool) => pool.end()))
    },
  }
}

/** Names the replica in the warnings of its connections. */
function warningsOfReplica(log: Log): Log {
  const warn = (fields: object | string, message?: string) =>
    typeof fields === 'string'
      ? log.warn(`read replica: ${fields}`)
      : log.warn(fields, `read replica: ${message}`)
  return { warn } as Log
}

/** A statement that `run` sends in its transaction. */
export const plain = { values: [], isPrepared: false, inTransaction: true }

const mapPools = <T>(make: (name: ReadPool) => T): Record<ReadPool, T> => ({
  reads: make('reads'),
  lists: make('lists'),
})
