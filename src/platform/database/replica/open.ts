import pg from 'pg'
import { StartError } from '../../config/start-error.ts'
import type { Database } from '../connect.ts'
import type { Connection } from '../connection.ts'
import { databaseId, readPosition } from './position.ts'
import { type PublicDatabases, type PublicDatabasesParts, publicDatabases } from './public-databases.ts'
import { openReplica, type ReplicaOptions } from './replica.ts'
import { requiredPositions } from './required-positions.ts'

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
    const { rows } = await client.query(`select ${databaseId} as id`)
    return rows[0].id
  } finally {
    client.end().catch(() => {})
  }
}

type Used = Pick<PublicDatabasesParts, 'primary'> & {
  /** The primary, for reading its position. */
  health: Database
  log: Parameters<typeof openReplica>[1]['log']
}

/** Prepares the use of a replica. `positions` follows the notifications that make it usable. */
export function followReplica(
  connection: Connection,
  { primary, health, log }: Used,
  options?: ReplicaOptions,
) {
  const positions = requiredPositions(() => readPosition(health))
  return {
    positions,
    open(arrived: () => Promise<void>): PublicDatabases {
      const replica = openReplica(connection, { positions, arrived, log }, options)
      return publicDatabases({ primary, replica, positions, arrived })
    },
  }
}
