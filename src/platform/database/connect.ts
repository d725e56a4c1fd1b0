import type { FastifyBaseLogger } from 'fastify'
import { Kysely } from 'kysely'
import pg from 'pg'
import type { Connection } from './connection.ts'
import { dialectOn } from './pools/dialect.ts'
import { guardPool } from './pools/guarded-pool.ts'
import { type LockedReads, lockedReads } from './pools/locked-reads.ts'
import { openPool } from './pools/open-pool.ts'
import { defaultPools, type PoolName, setTimeouts } from './pools/pools.ts'
import { defaultTimes, watchResponsiveness } from './pools/responsiveness.ts'
import type { DB } from './types.generated.ts'

export type Database = Kysely<DB>
export type Pools = Record<PoolName, pg.Pool>

/**
 * One database through three connection pools, so that slow or locked work in one pool does not block the
 * others.
 */
export type Databases = {
  /** For changes and the reads they need: transactions, and single writes outside one. */
  db: Database
  /** For reads by key. */
  reads: Database
  /** For lists, totals and searches, whose cost depends on the values; they are not prepared. */
  lists: Database
}

// Dates stay text: a JavaScript Date would shift them by a time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value)
const dateArray = 1182 as typeof pg.types.builtins.DATE
pg.types.setTypeParser(dateArray, (value) => value.slice(1, -1).split(',').filter(Boolean))
// Times of day have no seconds.
pg.types.setTypeParser(pg.types.builtins.TIME, (value) => value.slice(0, 5))
// Counts fit into a JavaScript number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Opens the service's connection pools. Every wait has a timeout, so that a slow or locked table delays its
 * own requests and not the service. Rate limits (`counters`) and `/readyz` (`health`) have pools of their
 * own. If the connection leads through a pooler, transactions set the timeouts, and pg-boss, whose statements
 * pass no transaction of ours, uses `direct`.
 */
export function connect(
  connection: Connection,
  log: Pick<FastifyBaseLogger, 'warn'>,
  {
    timeoutMs = 1_000,
    connectTimeoutMs = 3_000,
    maxPrepared = 100,
    limits = defaultPools,
    responsivenessTimes = defaultTimes,
    isPooled = false,
    direct = connection,
  } = {},
) {
  const responsiveness = watchResponsiveness(connection, log, responsivenessTimes)
  const pools = mapPools((name) => {
    const to = name === 'jobs' ? direct : connection
    return openPool(to, limits[name], { connectTimeoutMs, isPooled: isPooled && to === connection, log })
  })
  const guard = { maxPrepared, timeoutMs, responsiveness }
  function guarded(name: PoolName, locked: LockedReads | null = null) {
    const guards = { ...guard, name, locked, setTimeouts: isPooled ? setTimeouts(limits[name]) : null }
    return guardPool(pools[name], guards)
  }
  const kyselyOn = (checkOut: ReturnType<typeof guarded>, prepares = true): Database =>
    new Kysely<DB>({ dialect: dialectOn(checkOut, prepares) })
  const checkOuts = { reads: guarded('reads', lockedReads()), lists: guarded('lists', lockedReads()) }
  guardPool(pools.jobs, { ...guard, name: 'jobs', locked: null, setTimeouts: null })
  let closing: Promise<void> | null = null
  function close() {
    responsiveness.stop()
    closing ??= Promise.all(Object.values(pools).map((pool) => pool.end())).then(() => {})
    return closing
  }
  return {
    db: kyselyOn(guarded('writes')),
    reads: kyselyOn(checkOuts.reads),
    lists: kyselyOn(checkOuts.lists, false),
    counters: kyselyOn(guarded('counters')),
    health: kyselyOn(guarded('health')),
    checkOuts,
    pools,
    close,
  }
}

const mapPools = <T>(make: (name: PoolName) => T) =>
  Object.fromEntries(Object.keys(defaultPools).map((name) => [name, make(name as PoolName)])) as Record<
    PoolName,
    T
  >
