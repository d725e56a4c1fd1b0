import pg from 'pg'
import { raise, unavailable } from '../errors.ts'
import { isMisplaced, isOutdated, keptStatements, type Named } from './prepared-statements.ts'

type Send = (...query: unknown[]) => unknown

/**
 * Lends the connections of a pool. Their statements are prepared where that serves; what fails because the database is
 * away or overwhelmed is unavailable. A connection is not lent again once it is
 * - lost, though its socket may still be closing;
 * - worn: it keeps as many statements as one may, or some that no longer fit.
 */
export function guardPool(pool: pg.Pool, maxPrepared: number): () => Promise<pg.PoolClient> {
  const open = new Set<pg.PoolClient>()
  const lost = new WeakSet<pg.PoolClient>()
  const worn = new WeakSet<pg.PoolClient>()
  let prepares = true

  async function sendNamed(client: pg.PoolClient, send: Send, query: Named) {
    try {
      return await send(query)
    } catch (error) {
      if (!isOutdated(error) && !isMisplaced(error)) throw error
      // The other connections would fail too, each within some transaction.
      for (const each of open) worn.add(each)
      if (isMisplaced(error)) prepares = false
      if (client.getTransactionStatus() !== 'I') throw error
      return send(query.text, query.values)
    }
  }

  pool.on('remove', (client) => open.delete(client))
  pool.on('connect', (client) => {
    open.add(client)
    // A connection lost while a request holds it fails that request's statement; without a listener, the process too.
    client.on('error', () => lost.add(client))
    const send = client.query.bind(client) as Send
    const kept = keptStatements(maxPrepared)
    const guarded: Send = (...args) => {
      // Nothing waits behind a statement that is never answered, the rollback after it above all.
      if (lost.has(client)) return Promise.reject(unavailable())
      const query = prepares ? kept.named(args) : null
      if (query !== null && kept.isFull()) worn.add(client)
      const result = query === null ? send(...args) : sendNamed(client, send, query)
      if (!(result instanceof Promise)) return result
      return result.catch((error) => {
        if (endsConnection(error)) lost.add(client)
        return asUnavailable(error)
      })
    }
    client.query = guarded as typeof client.query
  })

  return async function borrow() {
    const client = await pool.connect().catch((error) => raise(unavailable(error)))
    if (worn.has(client)) {
      client.release(true)
      return borrow()
    }
    const release = client.release.bind(client)
    client.release = (error) => release(error || lost.has(client) || worn.has(client))
    return client
  }
}

/** What PostgreSQL says of the data goes on as it is; all else means that it is away or overwhelmed. */
function asUnavailable(error: unknown): never {
  if (error instanceof TypeError || error instanceof RangeError) throw error
  const ofTheData = error instanceof pg.DatabaseError && !outage.test(error.code ?? '')
  if (ofTheData && !isOutdated(error) && !isMisplaced(error)) throw error
  throw unavailable(error)
}

function endsConnection(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08...|57P0.)$/.test(error.code ?? '')
}

// Connection trouble, too many connections, statement or lock timeout, deadlock, shutdown and start-up, read-only standby.
const outage = /^(08...|53...|57014|57P0.|55P03|40P01|25006)$/
