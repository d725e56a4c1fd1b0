import pg from 'pg'
import type { Connection } from '../src/platform/database/connection.ts'

/** One database with the connection of each role; with an external PostgreSQL they are the same. */
export type BenchDatabase = { superuser: Connection; owner: Connection; service: Connection }

/** Runs a statement on its own connection and returns the rows. */
// biome-ignore lint/suspicious/noExplicitAny: whoever asks knows the columns.
export async function run(connection: Connection, text: string, values?: unknown[]): Promise<any[]> {
  const client = new pg.Client(connection)
  await client.connect()
  return client.query(text, values).then(
    ({ rows }) => client.end().then(() => rows),
    (error) =>
      client.end().then(() => {
        throw error
      }),
  )
}

export function urlOf({ host = '', port, user, password, database }: Connection): string {
  const name = `${encodeURIComponent(user ?? '')}:${encodeURIComponent(`${password ?? ''}`)}`
  return `postgres://${name}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
