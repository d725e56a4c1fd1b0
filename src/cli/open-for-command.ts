import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import {
  connectToRunningCluster,
  hasCluster,
  isClusterHeld,
  openCluster,
} from '../embedded-postgres/cluster/cluster.ts'
import { ClusterError } from '../embedded-postgres/cluster-error.ts'
import type { Config } from '../platform/config/config.ts'
import { StartError } from '../platform/config/start-error.ts'
import { refuseHalfRestored } from '../platform/database/backup/half-restored.ts'
import { clusterNames } from '../platform/database/cluster-names.ts'
import type { Connection } from '../platform/database/connection.ts'
import { migrate } from '../platform/database/migrate/migrate.ts'
import { openDatabase, roleOf } from '../platform/database/open.ts'
import { fillNewDatabase } from '../seed-data.ts'

export type CommandDatabase = {
  owner: Connection | null
  service: Connection
  embedded: boolean
  /** Whether `service` leads through a connection pooler, which passes on no timeouts. */
  isPooled: boolean
  /** Description of the database for messages. */
  name: string
  /** Stops only what was started for the command. */
  close: () => Promise<void>
}
type Log = (message: string) => void

const timeoutMs = 30_000

/**
 * Opens the database for a command, with or without a running service. Never creates a database; migrates
 * only a cluster that it starts itself.
 */
export async function openForCommand(config: Config, log: Log): Promise<CommandDatabase> {
  if (config.databaseUrl !== null) {
    const database = await openExternal(config, log)
    if (await isReady(database.service)) return database
    throw new StartError(
      'The database that DATABASE_URL names is not set up yet: start Parvis on it, or run "npm run migrate" for it.',
    )
  }
  return joinOrStart(config.dataDir, {
    join: () => joinRunning(config.dataDir, isReady),
    start: async () => {
      if (!hasCluster(config.dataDir, clusterNames))
        throw new StartError(
          `There is no database in ${config.dataDir}, and DATABASE_URL is not set: give this command the same settings as the service, or start Parvis here first.`,
        )
      return startOwn(config.dataDir, log, async ({ owner, service }) => {
        await migrate(owner, roleOf(service), (db) => fillNewDatabase(db, null, log))
      })
    },
  })
}

/** Opens the database for `npm run migrate` in any state, and creates the embedded one if needed. */
export async function openToMigrate(config: Config, log: Log): Promise<CommandDatabase> {
  if (config.databaseUrl !== null) return openExternal(config, log)
  return joinOrStart(config.dataDir, {
    join: () => joinRunning(config.dataDir, answers),
    start: async () => {
      const isNew = !hasCluster(config.dataDir, clusterNames)
      const started = await startOwn(config.dataDir, log)
      return started && isNew ? { ...started, name: `${started.name}, new` } : started
    },
  })
}

/** Opens the embedded database without migrating it, with or without a running service. */
export async function openToBackUp(dataDir: string, log: Log): Promise<CommandDatabase> {
  return joinOrStart(dataDir, {
    join: () => joinRunning(dataDir, answers),
    start: async () => {
      if (!hasCluster(dataDir, clusterNames))
        throw new StartError(`There is no database in ${dataDir}: set DATA_DIR to the folder of the service.`)
      return startOwn(dataDir, log)
    },
  })
}

async function openExternal(config: Config, log: Log): Promise<CommandDatabase> {
  const database = await openDatabase(config, log)
  const { direct: service } = database
  const { host, port, database: name } = new pg.Client(service)
  const isPooled = database.isPooled && service === database.service
  return { ...database, service, isPooled, name: `${name} on ${host}:${port}, as ${roleOf(service)}` }
}

type Ways = Record<'join' | 'start', () => Promise<CommandDatabase | null>>

/** Retries: a service may be starting, or lock the folder between check and start. */
async function joinOrStart(dataDir: string, { join, start }: Ways): Promise<CommandDatabase> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(200)) {
    const opened = (await join()) ?? (isClusterHeld(dataDir, clusterNames) ? null : await start())
    if (opened !== null) return opened
  }
  throw new StartError(
    `The Parvis on the data folder ${dataDir} is not ready: try again when it has started.`,
  )
}

/** Returns the database of the running service; null if none runs or it is still starting. */
async function joinRunning(
  dataDir: string,
  isJoinable: (service: Connection) => Promise<boolean>,
): Promise<CommandDatabase | null> {
  const running = await connectToRunningCluster(dataDir, clusterNames)
  if (running === null || !(await isJoinable(running.service))) return null
  const { owner, service } = running
  return {
    owner,
    service,
    embedded: true,
    isPooled: false,
    name: nameEmbedded(dataDir),
    close: async () => {},
  }
}

/** Starts the cluster; returns null if a service has locked the folder meanwhile. */
async function startOwn(
  dataDir: string,
  log: Log,
  prepare: (roles: Record<'owner' | 'service', Connection>) => Promise<void> = async () => {},
): Promise<CommandDatabase | null> {
  await refuseHalfRestored(dataDir)
  const cluster = await openCluster({ dataDir, names: clusterNames, log }).catch((error) => {
    if (error instanceof ClusterError && isClusterHeld(dataDir, clusterNames)) return null
    throw error
  })
  if (cluster === null) return null
  const { owner, service, stop } = cluster
  try {
    await prepare({ owner, service })
  } catch (error) {
    await stop()
    throw error
  }
  return { owner, service, embedded: true, isPooled: false, name: nameEmbedded(dataDir), close: stop }
}

const nameEmbedded = (dataDir: string) => `the embedded one in ${dataDir}`

/** Returns true if the communes are loaded, the last step of a start before it listens. */
const isReady = (service: Connection) => answers(service, "select from first_loads where name = 'communes'")

/** Returns true if the query succeeds and returns at least one row. */
async function answers(service: Connection, query = 'select'): Promise<boolean> {
  const client = new pg.Client({ ...service, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(query)
    return rows.length > 0
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
