import { randomInt } from 'node:crypto'
import pg from 'pg'
import { refuseUntrusted } from '../../embedded-postgres/files/trust.ts'
import type { Config } from '../config.ts'
import { StartError } from '../start-error.ts'
import { refuseHalfRestored } from './backup/half-restored.ts'
import { clusterNames } from './cluster-names.ts'
import type { Connection } from './connection.ts'
import { mayMigrate } from './migrate/migrate.ts'

export type OpenDatabase = {
  /** Null if the role in DATABASE_URL is not the owner and no owner is configured. */
  owner: Connection | null
  service: Connection
  /** Owner and service are the same role: the audit log is then append-only by its triggers alone. */
  oneRole: boolean
  embedded: boolean
  /** Folder of the embedded database's files; null with an external database. */
  folder: string | null
  /**
   * Returns a secret, created at first use and stored with the embedded database; null with an external
   * database.
   */
  secret: ((name: string) => string) | null
  close: () => Promise<void>
}

/** Opens the PostgreSQL named by DATABASE_URL, or starts the embedded one. */
export async function openDatabase(config: Config, log: (message: string) => void): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    // Without a mail server, mails are written to an outbox in this folder.
    if (config.mail.url === null) refuseUntrusted(config.dataDir, clusterNames.dataDirSetting)
    return openExternal(config.databaseUrl, config.migrateDatabaseUrl)
  }
  refuseHalfRestored(config.dataDir)
  const [{ openCluster }, { ensureSecret }] = await Promise.all([
    import('../../embedded-postgres/cluster/cluster.ts'),
    import('../../embedded-postgres/files/secrets.ts'),
  ])
  const { owner, service, home, stop } = await openCluster({
    dataDir: config.dataDir,
    names: clusterNames,
    log,
  })
  return {
    owner,
    service,
    oneRole: false,
    embedded: true,
    folder: home,
    secret: (name) => ensureSecret(config.dataDir, name),
    close: stop,
  }
}

/** Returns the role of a connection, from its URL or from the environment, as PostgreSQL's own tools do. */
export function roleOf(connection: Connection): string {
  return new pg.Client(connection).user ?? ''
}

/** Connects with both roles, so that a wrong setting is reported by name and not by a later failure. */
async function openExternal(serviceUrl: string, ownerUrl: string | null): Promise<OpenDatabase> {
  const service = { connectionString: serviceUrl }
  const owner = ownerUrl === null ? await findOwner(service) : { connectionString: ownerUrl }
  if (ownerUrl !== null && owner !== null) {
    await enter(owner, 'MIGRATE_DATABASE_URL', async (asOwner) => {
      await checkVersion(asOwner)
      await enter(service, 'DATABASE_URL', (asService) => refuseTwoDatabases(asOwner, asService))
    })
  }
  const oneRole = owner !== null && roleOf(owner) === roleOf(service)
  return { owner, service, oneRole, embedded: false, folder: null, secret: null, close: async () => {} }
}

/** Returns the service's own connection if its role may migrate. */
function findOwner(service: Connection): Promise<Connection | null> {
  return enter(service, 'DATABASE_URL', async (client) => {
    await checkVersion(client)
    return (await mayMigrate(client)) ? service : null
  })
}

async function enter<T>(
  connection: Connection,
  setting: string,
  look: (client: pg.Client) => Promise<T>,
): Promise<T> {
  try {
    // Inside the try block: the constructor reads the certificates that the URL names.
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
    client.on('error', () => {})
    // For an invalid address, pg throws before it listens for errors, and ends the socket later.
    client.connection.stream.on('error', () => {})
    await client.connect()
    return await look(client).finally(() => client.end())
  } catch (error) {
    if (error instanceof StartError) throw error
    // If every address of a host name refuses, the error has a code but no message.
    const { message, code } = error as NodeJS.ErrnoException
    const reason = (message || `${code}`).replace(/\.$/, '')
    throw new StartError(`The database that ${setting} names cannot be used: ${reason}.`)
  }
}

async function checkVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select current_setting('server_version_num')::int as version")
  if (rows[0].version < 150_000) throw new Error('it is older than PostgreSQL 15')
}

/** Throws unless each role sees the advisory lock of the other, as it does only in the same database. */
async function refuseTwoDatabases(owner: pg.Client, service: pg.Client): Promise<void> {
  const lock = [randomInt(2 ** 47)]
  await owner.query('select pg_advisory_lock($1)', lock)
  const { rows } = await service.query('select pg_try_advisory_xact_lock($1) as free', lock)
  if (rows[0].free)
    throw new StartError(
      'DATABASE_URL and MIGRATE_DATABASE_URL name two databases: let both name the same one, each with its role.',
    )
}
