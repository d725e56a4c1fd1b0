import type { FastifyBaseLogger } from 'fastify'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { raise, unavailable } from '../errors.ts'
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
  { patienceMs = 3_000, silenceMs = 11_000 } = {},
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
  const lost = new WeakSet<pg.PoolClient>()
  pool.on('connect', (client) => {
    // A connection lost while a request holds it fails that request's statement; without a listener, the process too.
    client.on('error', () => lost.add(client))
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const guarded = (...args: unknown[]) => {
      // Nothing waits behind a statement that is never answered, the rollback after it above all.
      if (lost.has(client)) return Promise.reject(unavailable())
      const result = query(...args)
      if (!(result instanceof Promise)) return result
      return result.catch((error) => {
        if (endsConnection(error)) lost.add(client)
        return asUnavailable(error)
      })
    }
    client.query = guarded as typeof client.query
  })
  /** A connection lost while it was lent is not lent again, though its socket may still be closing. */
  async function borrow() {
    const client = await pool.connect().catch((error) => raise(unavailable(error)))
    const release = client.release.bind(client)
    client.release = (error) => release(error || lost.has(client))
    return client
  }
  const dialect = new PostgresDialect({
    pool: {
      options: pool.options,
      connect: borrow,
      end: () => pool.end(),
    },
  })
  const db = new Kysely<DB>({ dialect })
  return { db, pool, close: () => db.destroy() }
}

/** What PostgreSQL says of the data goes on as it is; all else means that it is away or overwhelmed. */
function asUnavailable(error: unknown): never {
  if (error instanceof TypeError || error instanceof RangeError) throw error
  if (error instanceof pg.DatabaseError && !outage.test(error.code ?? '')) throw error
  throw unavailable(error)
}

function endsConnection(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08...|57P0.)$/.test(error.code ?? '')
}

// Connection trouble, too many connections, statement or lock timeout, deadlock, shutdown and start-up, read-only standby.
const outage = /^(08...|53...|57014|57P0.|55P03|40P01|25006)$/
