import type { FastifyBaseLogger } from 'fastify'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Connection } from './connection.ts'
import { guardPool } from './pools/guarded-pool.ts'
import { lockedReads } from './pools/locked-reads.ts'
import { type PoolLimits, type PoolName, poolOf, usualPools } from './pools/pools.ts'
import { usualTimes, watchResponsiveness } from './pools/responsiveness.ts'
import type { DB } from './types.generated.ts'

export type Database = Kysely<DB>
export type Pools = Record<PoolName, pg.Pool>

type Borrow = () => Promise<pg.PoolClient>

// Dates stay text: a JavaScript Date would shift them by a time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value)
const dateArray = 1182 as typeof pg.types.builtins.DATE
pg.types.setTypeParser(dateArray, (value) => value.slice(1, -1).split(',').filter(Boolean))
// An hour is hours and minutes: none has seconds.
pg.types.setTypeParser(pg.types.builtins.TIME, (value) => value.slice(0, 5))
// Counts fit into a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Opens the service's connection pools. Every wait is bounded, so that a slow or locked object delays its own callers
 * and not the service. `db` serves requests and jobs; `counters` and `health` have connections of their own.
 */
export function connect(
  connection: Connection,
  log: Pick<FastifyBaseLogger, 'warn'>,
  { timeoutMs = 1_000, maxPrepared = 100, limits = usualPools, silenceTimes = usualTimes } = {},
) {
  const silence = watchResponsiveness(connection, log, silenceTimes)
  const pools = mapPools((name) => openPool(connection, limits[name], log))
  const borrow = mapPools((name) => {
    const locked = name === 'reads' || name === 'lists' ? lockedReads() : null
    return guardPool(pools[name], { maxPrepared, timeoutMs, silence, locked })
  })
  async function end() {
    silence.stop()
    await Promise.all(Object.values(pools).map((pool) => pool.end()))
  }
  const db = kyselyOn(async () => borrowLate((text) => borrow[poolOf(text)]()), end)
  return {
    db,
    counters: kyselyOn(borrow.counters),
    health: kyselyOn(borrow.health),
    pools,
    close: () => db.destroy(),
  }
}

function openPool(
  connection: Connection,
  { max, statementMs, lockMs, lifetimeS = 0 }: PoolLimits,
  log: Pick<FastifyBaseLogger, 'warn'>,
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    application_name: 'parvis',
    max,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: lifetimeS,
    statement_timeout: statementMs,
    // For a single dead connection: PostgreSQL would have ended the statement by then.
    query_timeout: statementMs + 1_000,
    keepAlive: true,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: 15_000,
  })
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ err: error }, 'an idle database connection was lost')
  })
  return pool
}

function kyselyOn(borrow: Borrow, end: () => Promise<void> = async () => {}): Database {
  const pool = { options: {}, connect: borrow, end }
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

/** Chooses the pool by the text of the first statement. */
function borrowLate(borrow: (text: string) => Promise<pg.PoolClient>): pg.PoolClient {
  let lent: Promise<pg.PoolClient> | null = null
  const late = {
    async query(text: string, values: unknown[]) {
      lent ??= borrow(text)
      return (await lent).query(text, values)
    },
    release(error?: boolean) {
      lent?.then(
        (client) => client.release(error),
        () => {},
      )
    },
  }
  return late as unknown as pg.PoolClient
}

const mapPools = <T>(make: (name: PoolName) => T) =>
  Object.fromEntries(Object.keys(usualPools).map((name) => [name, make(name as PoolName)])) as Record<
    PoolName,
    T
  >
