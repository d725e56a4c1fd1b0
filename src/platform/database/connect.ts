import type { FastifyBaseLogger } from 'fastify'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { guardPool } from './guarded-pool.ts'
import type { DB } from './types.generated.ts'

export type Database = Kysely<DB>
/** Where a PostgreSQL is and who enters it. */
export type Connection = Pick<
  pg.ClientConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'connectionString'
>

// Dates stay the text they are; a JavaScript Date would shift them by a time zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value)
const dateArray = 1182 as typeof pg.types.builtins.DATE
pg.types.setTypeParser(dateArray, (value) => value.slice(1, -1).split(',').filter(Boolean))
// Counts fit a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** The service's pool. What can wait is bounded: a slow database costs seconds, never the service. */
export function connect(
  connection: Connection,
  log: Pick<FastifyBaseLogger, 'warn'>,
  { patienceMs = 3_000, silenceMs = 11_000, maxPrepared = 100 } = {},
) {
  const pool = new pg.Pool({
    ...connection,
    application_name: 'parvis',
    max: 10,
    connectionTimeoutMillis: patienceMs,
    idleTimeoutMillis: 30_000,
    statement_timeout: 10_000,
    // A server that says nothing more, not even that the statement took too long.
    query_timeout: silenceMs,
    keepAlive: true,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 15_000,
  })
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ err: error }, 'an idle database connection was lost')
  })
  const borrow = guardPool(pool, maxPrepared)
  const dialect = new PostgresDialect({
    pool: { options: pool.options, connect: borrow, end: () => pool.end() },
  })
  const db = new Kysely<DB>({ dialect })
  return { db, pool, close: () => db.destroy() }
}
