import pg from 'pg'
import type { Database } from '../connect.ts'
import type { Connection } from '../connection.ts'
import { onConnection } from './on-connection.ts'

/** Runs one transaction on a dedicated connection and closes it. */
export type OnOwnConnection = <T>(
  signal: AbortSignal,
  work: (tx: Database, client: pg.ClientBase) => Promise<T>,
) => Promise<T>

/**
 * Returns a runner for work that takes minutes, such as a national sync. The work delays no request and has
 * no request timeout. If it is aborted or its process dies, PostgreSQL rolls back.
 */
export function ownConnections(connection: Connection): OnOwnConnection {
  return async (signal, work) => {
    signal.throwIfAborted()
    const client = new pg.Client({
      ...connection,
      application_name: 'parvis-bulk',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    })
    // A COPY that waits for its next row would not notice the lost connection.
    const { promise: lost, reject } = Promise.withResolvers<never>()
    client.on('error', reject)
    client.on('end', () => reject(new Error('the database connection has ended')))
    lost.catch(() => {})
    const cut = () => client.connection.stream.destroy()
    signal.addEventListener('abort', cut)
    try {
      await client.connect()
      // Not when it connects: a connection pooler would not pass them on.
      await client.query(`begin; set local statement_timeout = '30min'; set local lock_timeout = '10s';
        set local idle_in_transaction_session_timeout = '2min'`)
      const result = await Promise.race([work(onConnection(client), client), lost])
      await client.query('commit')
      return result
    } catch (error) {
      // Closes without waiting: the connection may be dead or in the middle of a COPY. PostgreSQL rolls back.
      cut()
      signal.throwIfAborted()
      throw error
    } finally {
      signal.removeEventListener('abort', cut)
      await client.end().catch(() => {})
    }
  }
}
