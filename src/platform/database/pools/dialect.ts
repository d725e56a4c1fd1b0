import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type pg from 'pg'
import { raise } from '../../errors.ts'
import { isDeferred, isPrepared, refusalOf } from './prepared.ts'

/** A statement, whether to prepare it, and whether it belongs to a transaction. */
export type Statement = {
  text: string
  values: readonly unknown[]
  isPrepared: boolean
  inTransaction: boolean
}

export type CheckedOut = {
  /** Begins a transaction, with the timeouts of the pool. */
  begin(text: string): Promise<unknown>
  query(statement: Statement): Promise<pg.QueryResult>
  /** A broken connection is discarded. */
  release(isBroken?: boolean): void
}

/**
 * Returns a Kysely dialect for one connection pool. Unlike Kysely's own, it also passes on whether to prepare
 * the statement, and waits for the response to BEGIN and to deferred statements only with the next statement: they take no
 * round trip of their own. A moderation waits for five responses instead of up to eight: nothing where PostgreSQL runs on the same
 * machine, three times the distance where it does not.
 */
export function dialectOn(checkOut: () => Promise<CheckedOut>, usuallyPrepared: boolean): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driverOn(checkOut, usuallyPrepared),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

function driverOn(checkOut: () => Promise<CheckedOut>, usuallyPrepared: boolean): Driver {
  const open = new WeakMap<DatabaseConnection, { client: CheckedOut; sent: Sent }>()
  const broken = new WeakSet<DatabaseConnection>()
  const run = (connection: DatabaseConnection, text: string) =>
    connection.executeQuery<{ command?: string }>(CompiledQuery.raw(text))
  return {
    init: async () => {},
    async acquireConnection() {
      const client = await checkOut()
      const sent: Sent = { inTransaction: false, unconfirmed: null }
      const connection = connectionTo(client, sent, usuallyPrepared)
      open.set(connection, { client, sent })
      return connection
    },
    async beginTransaction(connection, { isolationLevel, accessMode }) {
      const { client, sent } = open.get(connection) ?? raise(new Error('an unknown connection'))
      const isolation = isolationLevel && `isolation level ${isolationLevel}`
      const modes = [isolation, accessMode].filter((mode) => mode !== undefined)
      const text = modes.length === 0 ? 'begin' : `start transaction ${modes.join(' ')}`
      sent.inTransaction = true
      defer(sent, client.begin(text))
    },
    async commitTransaction(connection) {
      // Sent only when every deferred statement has succeeded: one that failed before it was sent aborts nothing.
      await open.get(connection)?.sent.unconfirmed
      // After a failed statement, COMMIT succeeds but rolls back.
      const [{ command } = {}] = (await run(connection, 'commit')).rows
      if (command === 'ROLLBACK') throw new AbortedTransactionError()
    },
    async rollbackTransaction(connection) {
      try {
        const sent = open.get(connection)?.sent
        if (sent !== undefined) sent.unconfirmed = null
        await run(connection, 'rollback')
      } catch (error) {
        broken.add(connection)
        throw error
      }
    },
    releaseConnection: async (connection) => open.get(connection)?.client.release(broken.has(connection)),
    destroy: async () => {},
  }
}

/** Statements of the current transaction that a connection has sent without waiting for the responses. */
type Sent = { inTransaction: boolean; unconfirmed: Promise<unknown> | null }

/** Leaves the response to the next statement, which PostgreSQL executes after this one. */
function defer(sent: Sent, response: Promise<unknown>): void {
  // In this order: once a statement has failed, those behind it fail because of it.
  const all = Promise.allSettled([sent.unconfirmed, response]).then(([earlier, own]) => {
    for (const one of [earlier, own]) if (one.status === 'rejected') throw one.reason
  })
  all.catch(() => {})
  sent.unconfirmed = all
}

const changes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
const ends = new Set(['COMMIT', 'ROLLBACK'])

function connectionTo(client: CheckedOut, sent: Sent, usuallyPrepared: boolean): DatabaseConnection {
  return {
    async executeQuery<R>(compiled: CompiledQuery) {
      const { sql: text, parameters: values } = compiled
      const { inTransaction, unconfirmed } = sent
      const statement = { text, values, isPrepared: isPrepared(compiled, usuallyPrepared), inTransaction }
      const response = client.query(statement).then((result) => {
        const refusal = refusalOf(compiled)
        if (refusal !== undefined && result.rowCount === 0) throw refusal()
        return result
      })
      if (inTransaction && isDeferred(compiled)) {
        defer(sent, response.catch(throwWithCaller))
        return { rows: [] }
      }
      try {
        // Handled even if an earlier statement has failed, whose failure is thrown first.
        response.catch(() => {})
        await unconfirmed
        const { command, rowCount, rows } = await response
        sent.unconfirmed = null
        if (ends.has(command)) return { rows: [{ command }] as R[] }
        return { rows, ...(changes.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) }
      } catch (error) {
        return throwWithCaller(error)
      } finally {
        if (ends.has(text.toUpperCase())) sent.inTransaction = false
      }
    },
    streamQuery() {
      throw new Error('statements are not streamed')
    },
  }
}

/** Adds the stack of the query: the stack of a PostgreSQL error begins where its message is parsed. */
function throwWithCaller(error: unknown): never {
  if (error instanceof Error) error.stack += `\n${new Error().stack?.split('\n').slice(1).join('\n')}`
  throw error
}
