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
  /** Null where DATABASE_URL names a role that only works with the tables, and nothing names their owner. */
  owner: Connection | null
  service: Connection
  /** Owner and service enter as one role: append-only tables then rest on their triggers alone. */
  oneRole: boolean
  embedded: boolean
  /** Where the files of the embedded database lie; null with a database of your own. */
  folder: string | null
  /** A secret made at first use and kept with the embedded database; null with a database of your own. */
  secret: ((name: string) => string) | null
  close: () => Promise<void>
}

/** The PostgreSQL that DATABASE_URL names, or the embedded one, started. */
export async function openDatabase(config: Config, log: (message: string) => void): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    // The outbox lies there.
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

/** The role that a connection enters as: from its URL, or from the environment as PostgreSQL's own tools do. */
export function roleOf(connection: Connection): string {
  return new pg.Client(connection).user ?? ''
}

/** Both are entered, so that a wrong one is told by its name and not by what fails later. */
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

/** The service's own role, if it may migrate. */
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
    // Made in here: it reads the certificates that the URL names.
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 })
    client.on('error', () => {})
    // Of an address that cannot be dialled at all pg throws before it listens here, and still ends the socket in its time.
    client.connection.stream.on('error', () => {})
    await client.connect()
    return await look(client).finally(() => client.end())
  } catch (error) {
    if (error instanceof StartError) throw error
    // When every address of a name refuses, there is a code but no message.
    const { message, code } = error as NodeJS.ErrnoException
    const reason = (message || `${code}`).replace(/\.$/, '')
    throw new StartError(`The database that ${setting} names cannot be used: ${reason}.`)
  }
}

async function checkVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select current_setting('server_version_num')::int as version")
  if (rows[0].version < 150_000) throw new Error('it is older than PostgreSQL 15')
}

/** Whatever the addresses say: in one database, each meets the locks of the other. */
async function refuseTwoDatabases(owner: pg.Client, service: pg.Client): Promise<void> {
  const lock = [randomInt(2 ** 47)]
  await owner.query('select pg_advisory_lock($1)', lock)
  const { rows } = await service.query('select pg_try_advisory_xact_lock($1) as free', lock)
  if (rows[0].free)
    throw new StartError(
      'DATABASE_URL and MIGRATE_DATABASE_URL name two databases: let both name the same one, each with its role.',
    )
}
