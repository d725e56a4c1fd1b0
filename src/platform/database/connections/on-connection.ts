import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Database } from '../connect.ts'
import type { DB } from '../types.generated.ts'

/** Returns a database that runs all queries on the given connection, such as one that holds a lock. */
export function onConnection(client: pg.Client): Database {
  const checkedOut = { query: client.query.bind(client), release: () => {} } as unknown as pg.PoolClient
  const pool = { options: {}, connect: async () => checkedOut, end: async () => {} }
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}
