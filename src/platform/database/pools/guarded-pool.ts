import type { Writable } from 'node:stream'
import pg from 'pg'
import { ApiError, unavailable } from '../../errors.ts'
import { chargeStatement } from '../../time/processing-time.ts'
import type { CheckedOut, Statement } from './dialect.ts'
import type { LockedReads } from './locked-reads.ts'
import { isMisplaced, isOutdated, type NamedStatement, preparedStatements } from './prepared-statements.ts'
import { processOf, type Responsiveness, unresponsive } from './responsiveness.ts'
import { within } from './with-timeout.ts'

/** Reason of `unavailable` for a statement on a connection that is known to be lost. */
export const connectionLost = 'the database connection was lost'

type Send = (...query: unknown[]) => unknown
type Callback = (error: unknown, answer?: unknown) => void
type Guards = {
  /** Named in the log when no connection is free. */
  name: string
  /** Maximum number of prepared statements per connection. */
  maxPrepared: number
  /** How long a request waits for a connection. */
  timeoutMs: number
  responsiveness: Responsiveness
  /** For pools that only run reads. */
  locked: LockedReads | null
  /** SQL that every transaction begins with; null if the connection itself has its timeouts. */
  setTimeouts: string | null
}

/**
 * Returns a function that checks out a connection of the pool. The connection prepares the statements marked
 * for it and turns outages and overload of the database into `unavailable`. It is discarded when
 * - it is lost, even if its socket is still closing;
 * - it has the maximum of prepared statements or an outdated one, or is older than the database's last
 *   unresponsive period.
 *
 * With `setTimeouts`, a statement outside a transaction runs in one of its own: behind a connection pooler, the
 * timeouts of a session would reach other clients.
 */
export function guardPool(
  pool: pg.Pool,
  { name, maxPrepared, timeoutMs, responsiveness, locked, setTimeouts }: Guards,
): () => Promise<CheckedOut> {
  const open = new Set<pg.PoolClient>()
  const lost = new WeakSet<pg.PoolClient>()
  const discarded = new WeakSet<pg.PoolClient>()
  const unreplicated = new WeakSet<pg.PoolClient>()
  const statements = new WeakMap<pg.PoolClient, Pick<CheckedOut, 'begin' | 'query'>>()
  let prepares = maxPrepared > 0

  function discardAll() {
    for (const each of open) discarded.add(each)
  }
  async function sendNamed(send: Send, query: NamedStatement, inTransaction: boolean) {
    try {
      return await send(query)
    } catch (error) {
      if (!isOutdated(error) && !isMisplaced(error)) throw error
      // The other connections would fail in the same way, each within some transaction.
      discardAll()
      // A pooler keeps an outdated statement for as long as its connection to the server.
      if (isMisplaced(error) || setTimeouts !== null) prepares = false
      if (setTimeouts !== null || inTransaction) throw error
      return send(query.text, query.values)
    }
  }

  responsiveness.onUnresponsive(discardAll)
  pool.on('remove', (client) => open.delete(client))
  pool.on('connect', (client) => {
    open.add(client)
    // Losing a connection in use fails its statement; without a listener it would end the process.
    client.on('error', () => lost.add(client))
    // PostgreSQL reports a commit as successful when the wait for the standby is cancelled; a failover may lose it.
    client.on('notice', ({ routine }) => routine === 'SyncRepWaitForLSN' && unreplicated.add(client))
    const send = client.query.bind(client) as Send
    const writeOnce = oneWritePerTurn(client)
    const kept = preparedStatements(maxPrepared)
    /** Sends a statement; `query` is its named form if it is to be prepared. */
    async function sendGuarded(
      text: string,
      args: unknown[],
      query: NamedStatement | null,
      inTransaction = false,
    ): Promise<unknown> {
      if (responsiveness.isUnresponsive) lost.add(client)
      // Nothing may queue behind a statement without a response, above all its rollback.
      if (lost.has(client)) throw responsiveness.isUnresponsive ? unresponsive() : unavailable(connectionLost)
      if (query !== null && kept.isFull()) discarded.add(client)
      const endCharge = chargeStatement()
      try {
        writeOnce()
        const result = query === null ? send(...args) : sendNamed(send, query, inTransaction)
        const response = await responsiveness.watch(result as Promise<unknown>, processOf(client))
        if (unreplicated.delete(client)) throw unavailable('the commit was not replicated')
        locked?.ended(text, null)
        return response
      } catch (error) {
        locked?.ended(text, error)
        if (endsConnection(error)) lost.add(client)
        return asUnavailable(error)
      } finally {
        endCharge()
      }
    }
    function sendStatement({ text, values, isPrepared, inTransaction }: Statement) {
      const query = isPrepared && prepares ? kept.named(text, values) : null
      return sendGuarded(text, [text, values], query, inTransaction) as Promise<pg.QueryResult>
    }
    function begin(text: string) {
      const all = setTimeouts === null ? text : `${text}; ${setTimeouts}`
      return sendGuarded(all, [all], null)
    }
    /** Sends all of it before the first response arrives: one round trip. COMMIT rolls back if it failed. */
    async function sendInTransaction(statement: Statement): Promise<pg.QueryResult> {
      const sent = [
        begin('begin'),
        sendStatement(statement),
        sendGuarded('commit', ['commit'], null),
      ] as const
      const ends = await Promise.allSettled(sent)
      const failed = ends.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
      if (failed === undefined) return sent[1]
      const { reason } = failed
      const mayRepeat = statement.isPrepared && (isOutdated(reason.cause) || isMisplaced(reason.cause))
      if (mayRepeat) return sendInTransaction({ ...statement, isPrepared: false })
      throw reason
    }
    statements.set(client, {
      begin,
      async query(statement) {
        if (locked?.mayRun(statement.text) === false) throw unavailable('what it reads is locked')
        const isOutside = setTimeouts !== null && !statement.inTransaction
        return isOutside ? sendInTransaction(statement) : sendStatement(statement)
      },
    })
    client.query = ((...args: unknown[]) => {
      const text = String(args[0])
      const callback = args.findLast((arg) => typeof arg === 'function') as Callback | undefined
      if (callback === undefined) return sendGuarded(text, args, null)
      // `pool.query`, which pg-boss uses, ignores promises: a rejected one would end the process.
      sendGuarded(text, args.slice(0, args.indexOf(callback)), null).then(
        (answer) => process.nextTick(callback, null, answer),
        (error) => process.nextTick(callback, error),
      )
      return undefined
    }) as typeof client.query
  })

  return async function checkOut() {
    const client = await connectWithin(pool, name, timeoutMs, responsiveness)
    if (discarded.has(client)) {
      client.release(true)
      return checkOut()
    }
    const { begin, query } = statements.get(client) as Pick<CheckedOut, 'begin' | 'query'>
    const release = (isBroken = false) =>
      client.release(isBroken || lost.has(client) || discarded.has(client))
    return { begin, query, release }
  }
}

/**
 * Returns a function that holds back what a connection is about to send until the turn of the event loop ends: statements that
 * do not wait for each other leave in one write. A decision costs Node a tenth less for it.
 */
function oneWritePerTurn(client: pg.PoolClient): () => void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  let isHeld = false
  return () => {
    if (isHeld) return
    isHeld = true
    stream.cork()
    process.nextTick(() => {
      isHeld = false
      stream.uncork()
    })
  }
}

/** Checks out a connection. One that arrives after the timeout is released to the pool. */
async function connectWithin(
  pool: pg.Pool,
  name: string,
  timeoutMs: number,
  responsiveness: Responsiveness,
): Promise<pg.PoolClient> {
  if (responsiveness.isUnresponsive) throw unresponsive()
  const connecting = pool.connect()
  try {
    return await within(
      timeoutMs,
      responsiveness.watch(connecting),
      `waited too long for a connection of the pool ${name}`,
    )
  } catch (error) {
    connecting.then(
      (client) => client.release(),
      () => {},
    )
    throw error instanceof ApiError ? error : unavailable(error)
  }
}

/** Rethrows errors about data, programming errors and API errors; turns all others into `unavailable`. */
export function asUnavailable(error: unknown): never {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof ApiError) throw error
  const ofTheData = error instanceof pg.DatabaseError && !isOutage(error)
  if (ofTheData && !isOutdated(error) && !isMisplaced(error)) throw error
  throw unavailable(error)
}

/** A read-only connection is discarded: it may lead to a former primary or keep an old setting. */
function endsConnection(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(08...|57P0.|25006|25P0[34])$/.test(error.code ?? '')
}

/** Returns whether PostgreSQL refused for a reason that passes by itself. */
export function isOutage(error: unknown): boolean {
  return error instanceof pg.DatabaseError && outage.test(error.code ?? '')
}

// Connection failure, too many connections, statement, lock or transaction timeout, deadlock, shutdown and start-up,
// read-only standby, a disk or file that cannot be read.
const outage = /^(08...|53...|57014|57P0.|55P03|40P01|25006|25P0[34]|58030|58P01)$/
