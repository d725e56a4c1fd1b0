import pg from 'pg'
import { ApiError, unavailable } from '../../errors.ts'
import type { LockedReads } from './locked-reads.ts'
import { isMisplaced, isOutdated, keptStatements, type Named } from './prepared-statements.ts'
import { type SilenceWatch, silent } from './silence.ts'
import { within } from './within.ts'

type Send = (...query: unknown[]) => unknown
type Guards = {
  /** How many statements a connection keeps. */
  maxPrepared: number
  /** How long a request waits for a connection. */
  patienceMs: number
  silence: SilenceWatch
  /** Where nothing but reads is sent. */
  locked: LockedReads | null
}

/**
 * Lends the connections of a pool. Their statements are prepared where that serves; what fails because the database is
 * away or overwhelmed is unavailable. A connection is not lent again once it is
 * - lost, though its socket may still be closing;
 * - worn: it keeps as many statements as one may, or some that no longer fit, or was there when the database was silent.
 */
export function guardPool(
  pool: pg.Pool,
  { maxPrepared, patienceMs, silence, locked }: Guards,
): () => Promise<pg.PoolClient> {
  const open = new Set<pg.PoolClient>()
  const lost = new WeakSet<pg.PoolClient>()
  const worn = new WeakSet<pg.PoolClient>()
  let prepares = true

  function wearAll() {
    for (const each of open) worn.add(each)
  }
  async function sendNamed(client: pg.PoolClient, send: Send, query: Named) {
    try {
      return await send(query)
    } catch (error) {
      if (!isOutdated(error) && !isMisplaced(error)) throw error
      // The other connections would fail too, each within some transaction.
      wearAll()
      if (isMisplaced(error)) prepares = false
      if (client.getTransactionStatus() !== 'I') throw error
      return send(query.text, query.values)
    }
  }

  silence.onSilence(wearAll)
  pool.on('remove', (client) => open.delete(client))
  pool.on('connect', (client) => {
    open.add(client)
    // A connection lost while a request holds it fails that request's statement; without a listener, the process too.
    client.on('error', () => lost.add(client))
    const send = client.query.bind(client) as Send
    const kept = keptStatements(maxPrepared)
    const guarded: Send = (...args) => {
      if (silence.isSilent) lost.add(client)
      // Nothing waits behind a statement that is never answered, the rollback after it above all.
      if (lost.has(client)) return Promise.reject(silence.isSilent ? silent() : unavailable())
      const text = String(args[0])
      if (locked?.mayRun(text) === false) return Promise.reject(unavailable('what it reads is locked'))
      const query = prepares ? kept.named(args) : null
      if (query !== null && kept.isFull()) worn.add(client)
      const result = query === null ? send(...args) : sendNamed(client, send, query)
      if (!(result instanceof Promise)) return result
      return silence.hear(result).then(
        (answer) => {
          locked?.ended(text, null)
          return answer
        },
        (error) => {
          locked?.ended(text, error)
          if (endsConnection(error)) lost.add(client)
          return asUnavailable(error)
        },
      )
    }
    client.query = guarded as typeof client.query
  })

  return async function borrow() {
    const client = await connectWithin(pool, patienceMs, silence)
    if (worn.has(client)) {
      client.release(true)
      return borrow()
    }
    const release = client.release.bind(client)
    client.release = (error) => release(error || lost.has(client) || worn.has(client))
    return client
  }
}

/** A connection that comes too late for who asked for it is there for the next. */
async function connectWithin(
  pool: pg.Pool,
  patienceMs: number,
  silence: SilenceWatch,
): Promise<pg.PoolClient> {
  if (silence.isSilent) throw silent()
  const connecting = pool.connect()
  try {
    return await within(patienceMs, silence.hear(connecting), 'waited too long for a connection')
  } catch (error) {
    connecting.then(
      (client) => client.release(),
      () => {},
    )
    throw error instanceof ApiError ? error : unavailable(error)
  }
}

/** What PostgreSQL says of the data goes on as it is; all else means that it is away or overwhelmed. */
function asUnavailable(error: unknown): never {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ApiError) throw error
  const ofTheData = error instanceof pg.DatabaseError && !outage.test(error.code ?? '')
  if (ofTheData && !isOutdated(error) && !isMisplaced(error)) throw error
  throw unavailable(error)
}

/** One on which nothing can be written may lead to what was the primary, or was told so when it was made. */
function endsConnection(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08...|57P0.|25006)$/.test(error.code ?? '')
}

// Connection trouble, too many connections, statement or lock timeout, deadlock, shutdown and start-up, read-only standby.
const outage = /^(08...|53...|57014|57P0.|55P03|40P01|25006)$/
