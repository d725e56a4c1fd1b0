import { type DatabaseIntrospector, Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Database } from '../connect.ts'
import type { DB } from '../types.generated.ts'

/** Returns a database that runs all queries on the given connection, such as one that holds a lock. */
export function onConnection(client: pg.Client): Database {
  const checkedOut = { query: client.query.bind(client), release: () => {} } as unknown as pg.PoolClient
  const pool = { options: {}, connect: async () => checkedOut, end: async () => {} }
  const dialect = new PostgresDialect({ pool })
  dialect.createIntrospector = () => tableNames(client)
  return new Kysely<DB>({ dialect })
}

/**
 * Reads the names of tables. Kysely's migrator asks twice per migration whether its own two tables exist; its usual
 * introspector reads every column of every table for that.
 */
function tableNames(client: pg.Client): DatabaseIntrospector {
  const notRead = () => Promise.reject(new Error('only the names of tables are read'))
  return {
    async getTables() {
      const { rows } = await client.query<{ schema: string; name: string }>(
        `select schemaname as schema, tablename as name from pg_tables where schemaname = any(current_schemas(false))`,
      )
      return rows.map((table) => ({ ...table, isView: false, isForeign: false, columns: [] }))
    },
    getSchemas: notRead,
  }
}
