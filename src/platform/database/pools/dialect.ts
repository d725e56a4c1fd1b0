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
import { isPrepared } from './prepared.ts'

/** A statement, and whether to prepare it. */
export type Statement = { text: string; values: readonly unknown[]; isPrepared: boolean }

export type CheckedOut = {
  /** Begins a transaction, with the timeouts of the pool. */
  begin(text: string): Promise<unknown>
  query(statement: Statement): Promise<pg.QueryResult>
  /** A broken connection is discarded. */
  release(isBroken?: boolean): void
}

/**
 * Returns a Kysely dialect for one connection pool. Unlike Kysely's own, it also passes on whether to prepare
 * the statement.
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
  const clients = new WeakMap<DatabaseConnection, CheckedOut>()
  const broken = new WeakSet<DatabaseConnection>()
  const run = (connection: DatabaseConnection, text: string) =>
    connection.executeQuery<{ command?: string }>(CompiledQuery.raw(text))
  return {
    init: async () => {},
    async acquireConnection() {
      const client = await checkOut()
      const connection = connectionTo(client, usuallyPrepared)
      clients.set(connection, client)
      return connection
    },
    async beginTransaction(connection, { isolationLevel, accessMode }) {
      const isolation = isolationLevel && `isolation level ${isolationLevel}`
      const modes = [isolation, accessMode].filter((mode) => mode !== undefined)
      await clients
        .get(connection)
        ?.begin(modes.length === 0 ? 'begin' : `start transaction ${modes.join(' ')}`)
    },
    async commitTransaction(connection) {
      // After a failed statement, COMMIT succeeds but rolls back.
      const [{ command } = {}] = (await run(connection, 'commit')).rows
      if (command === 'ROLLBACK') throw new AbortedTransactionError()
    },
    async rollbackTransaction(connection) {
      try {
        await run(connection, 'rollback')
      } catch (error) {
        broken.add(connection)
        throw error
      }
    },
    releaseConnection: async (connection) => clients.get(connection)?.release(broken.has(connection)),
    destroy: async () => {},
  }
}

const changes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
const ends = new Set(['COMMIT', 'ROLLBACK'])

function connectionTo(client: CheckedOut, usuallyPrepared: boolean): DatabaseConnection {
  return {
    async executeQuery<R>(compiled: CompiledQuery) {
      const { sql: text, parameters: values } = compiled
      const statement = { text, values, isPrepared: isPrepared(compiled, usuallyPrepared) }
      try {
        const { command, rowCount, rows } = await client.query(statement)
        if (ends.has(command)) return { rows: [{ command }] as R[] }
        return { rows, ...(changes.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }) }
      } catch (error) {
        throw withCaller(error)
      }
    },
    streamQuery() {
      throw new Error('statements are not streamed')
    },
  }
}

/** Adds the stack of the query: the stack of a PostgreSQL error begins where its message is parsed. */
function withCaller(error: unknown): unknown {
  if (error instanceof Error) error.stack += `\n${new Error().stack?.split('\n').slice(1).join('\n')}`
  return error
}
