import pg from 'pg'
import type { Config } from '../config.ts'
import { StartError } from '../start-error.ts'
import type { Connection } from './connect.ts'

export type OpenDatabase = {
  owner: Connection
  service: Connection
  /** Owner and service enter as one role: append-only tables then rest on their triggers alone. */
  oneRole: boolean
  embedded: boolean
  /** A secret made at first use and kept with the embedded database; null with a database of your own. */
  secret: ((name: string) => string) | null
  close: () => Promise<void>
}

/** The PostgreSQL that DATABASE_URL names, or the embedded one, started. */
export async function openDatabase(config: Config, log: (message: string) => void): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    const service = { connectionString: config.databaseUrl }
    const owner = { connectionString: config.migrateDatabaseUrl ?? config.databaseUrl }
    await tryToEnter(owner, config.migrateDatabaseUrl === null ? 'DATABASE_URL' : 'MIGRATE_DATABASE_URL')
    const oneRole = roleOf(owner) === roleOf(service)
    return { owner, service, oneRole, embedded: false, secret: null, close: async () => {} }
  }
  const [{ openCluster }, { ensureSecret }] = await Promise.all([
    import('./embedded/cluster.ts'),
    import('./embedded/secrets.ts'),
  ])
  const { owner, service, stop } = await openCluster({ dataDir: config.dataDir, log })
  return {
    owner,
    service,
    oneRole: false,
    embedded: true,
    secret: (name) => ensureSecret(config.dataDir, name),
    close: stop,
  }
}

/** The role that a connection enters as: from its URL, or from the environment as PostgreSQL's own tools do. */
export function roleOf(connection: Connection): string {
  return new pg.Client(connection).user ?? ''
}

async function tryToEnter(connection: Connection, setting: string): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
  try {
    await client.connect()
    const { rows } = await client.query("select current_setting('server_version_num')::int as version")
    if (rows[0].version < 150_000) throw new Error('it is older than PostgreSQL 15')
  } catch (error) {
    throw new StartError(`The database that ${setting} names cannot be used: ${(error as Error).message}.`)
  } finally {
    await client.end().catch(() => {})
  }
}
