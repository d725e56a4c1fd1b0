import pg from 'pg'
import { StartError } from '../../config/start-error.ts'
import type { Connection } from '../connection.ts'

/**
 * Throws if READ_DATABASE_URL leads to another database than the primary's. A replica that is unavailable does not
 * prevent a start: it is checked again before it is used.
 */
export async function refuseOtherDatabase(replica: Connection, primary: Connection): Promise<void> {
  const [own, other] = await Promise.all([identify(primary), identify(replica).catch(() => null)])
  if (other !== null && other !== own)
    throw new StartError(
      'READ_DATABASE_URL names another database or cluster than DATABASE_URL: let it name a streaming replica of the same one.',
    )
}

async function identify(connection: Connection): Promise<string> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 3_000, query_timeout: 3_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(
      `select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as id
       from pg_control_system()`,
    )
    return rows[0].id
  } finally {
    client.end().catch(() => {})
  }
}
