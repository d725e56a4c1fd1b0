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

/** A statement with whether it is prepared. */
export type Statement = { text: string; values: readonly unknown[]; isPrepared: boolean }

export type CheckedOut = {
  query(statement: Statement): Promise<pg.QueryResult>
  /** A broken connection is discarded. */
  release(isBroken?: boolean): void
}

/**
 * Kysely's dialect for connections of one pool. Its own dialect sends text and values only; this one also says whether
 * the statement is prepared.
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
      await run(connection, modes.length === 0 ? 'begin' : `start transaction ${modes.join(' ')}`)
    },
    async commitTransaction(connection) {
      // The COMMIT of a transaction in which a statement failed succeeds, as a ROLLBACK.
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

/** The stack of an error of PostgreSQL begins where its message is parsed: adds that of the query. */
function withCaller(error: unknown): unknown {
  if (error instanceof Error) error.stack += `\n${new Error().stack?.split('\n').slice(1).join('\n')}`
  return error
}
