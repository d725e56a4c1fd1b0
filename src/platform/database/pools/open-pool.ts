import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import type { Connection } from '../connection.ts'
import { idleInTransactionMs, type PoolLimits } from './pools.ts'

type PoolOptions = { connectTimeoutMs: number; isPooled: boolean; log: Pick<FastifyBaseLogger, 'warn'> }

/** Opens a connection pool with its size and timeouts. */
export function openPool(
  connection: Connection,
  { max, statementMs, lockMs, lifetimeS = 0 }: PoolLimits,
  { connectTimeoutMs, isPooled, log }: PoolOptions,
): pg.Pool {
  // PgBouncer refuses or ignores them when a client connects.
  const timeouts = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  }
  const pool = new pg.Pool({
    ...connection,
    application_name: 'parvis',
    max,
    // Also the timeout for checking out a connection.
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: lifetimeS,
    // Statements are sent without waiting for BEGIN and deferred ones.
    pipeline: true,
    ...(isPooled ? {} : timeouts),
    // Detects a dead connection: on a live one, PostgreSQL has cancelled the statement by then.
    query_timeout: statementMs + 1_000,
    keepAlive: true,
  })
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ err: error }, 'an idle database connection was lost')
  })
  return pool
}
