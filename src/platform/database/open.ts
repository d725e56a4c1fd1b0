import { randomInt } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { refuseUntrusted } from '../../embedded-postgres/files/trust.ts'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { refuseHalfRestored } from './backup/half-restored.ts'
import { clusterNames } from './cluster-names.ts'
import type { Connection } from './connection.ts'
import { connectPatiently, type Patience } from './connections/start-connection.ts'
import { mayMigrate } from './migrate/migrate.ts'
import { serverConnections } from './pools/pools.ts'
import { processOf } from './pools/responsiveness.ts'

export type OpenDatabase = {
  /** Null if the role in DATABASE_URL is not the owner and no owner is configured. */
  owner: Connection | null
  /** For requests. */
  service: Connection
  /** Whether `service` leads through a connection pooler, such as PgBouncer. */
  isPooled: boolean
  /** For what needs a session: LISTEN, session locks, jobs and syncs. Only without a pooler the same as `service`. */
  direct: Connection
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

/** `writableMs`: how long a server that accepts connections may refuse changes. `pause`: see `connectPatiently`. */
type Waiting = { writableMs: number; pause?: (ms: number) => Promise<unknown> }

/** Opens the PostgreSQL named by DATABASE_URL, or starts the embedded one. */
export async function openDatabase(
  config: Config,
  log: (message: string) => void,
  waiting: Waiting = { writableMs: 30_000 },
): Promise<OpenDatabase> {
  if (config.databaseUrl !== null) {
    // Without a mail server, mails are written to an outbox in this folder.
    if (config.mail.url === null) refuseUntrusted(config.dataDir, clusterNames.dataDirSetting)
    return openExternal({ ...config, databaseUrl: config.databaseUrl }, log, waiting)
  }
  if (config.instance !== null) return joinCluster(config.dataDir)
  await refuseHalfRestored(config.dataDir)
  const [{ openCluster }, { ensureSecret }] = await Promise.all([
    import('../../embedded-postgres/cluster/cluster.ts'),
    import('../../embedded-postgres/files/secrets.ts'),
  ])
  const { owner, service, home, stop } = await openCluster({
    dataDir: config.dataDir,
    names: clusterNames,
    maxConnections: serverConnections(config.workers),
    log,
  })
  return {
    owner,
    service,
    isPooled: false,
    direct: service,
    oneRole: false,
    embedded: true,
    folder: home,
    secret: (name) => ensureSecret(config.dataDir, name),
    close: stop,
  }
}

/** Connects to the embedded PostgreSQL that the supervisor of this instance keeps running. */
async function joinCluster(dataDir: string): Promise<OpenDatabase> {
  const [{ connectToRunningCluster }, { findPaths }, { readSecret }] = await Promise.all([
    import('../../embedded-postgres/cluster/cluster.ts'),
    import('../../embedded-postgres/files/paths.ts'),
    import('../../embedded-postgres/files/secrets.ts'),
  ])
  const running = await connectToRunningCluster(dataDir, clusterNames)
  if (running === null) throw new StartError(`No service runs on the data folder ${dataDir}.`)
  const { service } = running
  return {
    ...{ owner: null, service, isPooled: false, direct: service, oneRole: false, embedded: true },
    folder: findPaths(realpathSync(dataDir), clusterNames)?.home ?? null,
    secret: (name) => readSecret(dataDir, name) ?? '',
    close: async () => {},
  }
}

/** Returns the role of a connection, from its URL or from the environment, as PostgreSQL's own tools do. */
export function roleOf(connection: Connection): string {
  return new pg.Client(connection).user ?? ''
}

type Urls = { databaseUrl: string } & Pick<Config, 'directDatabaseUrl' | 'migrateDatabaseUrl'>

/** Connects in each way, so that a wrong setting is reported by name and not by a later failure. */
async function openExternal(
  urls: Urls,
  log: (message: string) => void,
  waiting: Waiting,
): Promise<OpenDatabase> {
  const service = { connectionString: urls.databaseUrl }
  const named = (url: string | null) => (url === null ? null : { connectionString: url })
  const owner = named(urls.migrateDatabaseUrl)
  const direct = named(urls.directDatabaseUrl)
  const enter: Enter = (connection, setting, look) =>
    enterPatiently(connection, { name: `The database that ${setting} names`, say: log, ...waiting }, look)
  const untilWritable = (connection: Connection, setting: string) =>
    waitUntilWritable(() => enter(connection, setting, findReadOnly), setting, log, waiting.writableMs)
  await untilWritable(service, 'DATABASE_URL')
  if (owner !== null) await untilWritable(owner, 'MIGRATE_DATABASE_URL')
  if (owner !== null) await refuseTwoDatabases(enter, owner, 'MIGRATE_DATABASE_URL', service)
  if (direct !== null) {
    await enter(direct, 'DIRECT_DATABASE_URL', refusePooler)
    await refuseTwoDatabases(enter, direct, 'DIRECT_DATABASE_URL', service)
  }
  const { isPooled, mayOwn } = await enter(service, 'DATABASE_URL', async (client) => {
    await checkVersion(client)
    return { isPooled: await isThroughPooler(client), mayOwn: await mayMigrate(client) }
  })
  const roles = {
    owner: owner ?? (mayOwn ? (direct ?? service) : null),
    service,
    isPooled,
    direct: direct ?? service,
  }
  const oneRole = roles.owner !== null && roleOf(roles.owner) === roleOf(roles.direct)
  return { ...roles, oneRole, embedded: false, folder: null, secret: null, close: async () => {} }
}

/** Waits for a server that is read-only or a standby, as during a failover. */
async function waitUntilWritable(
  look: () => Promise<string | null>,
  setting: string,
  log: (message: string) => void,
  writableMs: number,
): Promise<void> {
  const giveUpAt = performance.now() + writableMs
  for (let looks = 0; ; looks++) {
    const fault = await look()
    if (fault === null) return
    const sentence = `The database that ${setting} names ${fault}`
    if (performance.now() >= giveUpAt)
      throw new StartError(`${sentence}: start again when it accepts changes, or name the primary.`)
    if (looks === 0) log(`${sentence}: trying again for ${writableMs / 1_000} s`)
    await sleep(Math.min(500, writableMs))
  }
}

async function findReadOnly(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query(
    "select pg_is_in_recovery() as recovering, current_setting('transaction_read_only') = 'on' as closed",
  )
  const [{ recovering, closed }] = rows
  if (recovering) return 'is still recovering, or is a standby'
  return closed ? 'is read-only' : null
}

async function refusePooler(client: pg.Client): Promise<void> {
  if (await isThroughPooler(client))
    throw new Error('it leads through a connection pooler, and not to PostgreSQL itself')
}

/** Poolers give their clients process ids of their own. */
async function isThroughPooler(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return rows[0].pid !== processOf(client)
}

type Look<T> = (client: pg.Client) => Promise<T>
type Enter = <T>(connection: Connection, setting: string, look: Look<T>) => Promise<T>

async function enterPatiently<T>(connection: Connection, patience: Patience, look: Look<T>): Promise<T> {
  try {
    // Inside the try block: it reads the certificates that the URL names.
    const client = await connectPatiently(connection, patience)
    return await look(client).finally(() => client.end())
  } catch (error) {
    if (error instanceof StartError) throw error
    // If every address of a host name refuses, the error has a code but no message.
    const { message, code } = error as NodeJS.ErrnoException
    const reason = (message || `${code}`).replace(/\.$/, '')
    throw new StartError(`${patience.name} cannot be used: ${reason}.`)
  }
}

async function checkVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select current_setting('server_version_num')::int as version")
  if (rows[0].version < 150_000) throw new Error('it is older than PostgreSQL 15')
}

/** Throws unless each connection sees the advisory lock of the other, as it does only in the same database. */
function refuseTwoDatabases(
  enter: Enter,
  other: Connection,
  setting: string,
  service: Connection,
): Promise<void> {
  return enter(other, setting, async (asOther) => {
    const lock = [randomInt(2 ** 47)]
    await asOther.query('select pg_advisory_lock($1)', lock)
    await enter(service, 'DATABASE_URL', async (asService) => {
      const { rows } = await asService.query('select pg_try_advisory_xact_lock($1) as free', lock)
      if (rows[0].free)
        throw new StartError(
          `DATABASE_URL and ${setting} name two databases: let both name the same one, each with its role.`,
        )
    })
  })
}
