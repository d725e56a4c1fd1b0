import pg from 'pg'
import type { Database } from '../connect.ts'
import type { Connection } from '../connection.ts'
import { asUnavailable, isOutage } from '../pools/guarded-pool.ts'
import { onConnection } from './on-connection.ts'

/** Runs one transaction on a dedicated connection and closes it. */
export type OnOwnConnection = <T>(
  signal: AbortSignal,
  work: (tx: Database, client: pg.ClientBase) => Promise<T>,
) => Promise<T>

/**
 * Returns a runner for work that takes minutes, such as a national sync. The work delays no request and has
 * no request timeout. A connection pooler passes on no timeouts; there, the transaction sets them. If it is aborted or its process dies, PostgreSQL rolls back.
 * Outages are `unavailable`, as on the pools; errors of the work itself stay what they are.
 */
export function ownConnections(connection: Connection, isPooled = false): OnOwnConnection {
  return async (signal, work) => {
    signal.throwIfAborted()
    const client = new pg.Client({
      ...connection,
      application_name: 'parvis-bulk',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      ...(isPooled ? {} : timeouts),
    })
    // A COPY that waits for its next row would not notice the lost connection.
    const { promise: lost, reject } = Promise.withResolvers<never>()
    let isLost = true
    const lose = (error: Error) => {
      isLost = true
      reject(error)
    }
    client.on('error', lose)
    client.on('end', () => lose(new Error('the database connection has ended')))
    lost.catch(() => {})
    const cut = () => client.connection.stream.destroy()
    signal.addEventListener('abort', cut)
    try {
      await client.connect()
      isLost = false
      await client.query(isPooled ? `begin; ${setLocal}` : 'begin')
      const result = await Promise.race([work(onConnection(client), client), lost])
      await client.query('commit')
      return result
    } catch (error) {
      // Closes without waiting: the connection may be dead or in the middle of a COPY. PostgreSQL rolls back.
      const isOfConnection = isLost || isOutage(error)
      cut()
      signal.throwIfAborted()
      if (isOfConnection) asUnavailable(error)
      throw error
    } finally {
      signal.removeEventListener('abort', cut)
      await client.end().catch(() => {})
    }
  }
}

const timeouts = {
  statement_timeout: 1_800_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 120_000,
}
const setLocal = Object.entries(timeouts)
  .map(([name, ms]) => `set local ${name} = ${ms}`)
  .join('; ')
