import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectToRunningCluster, isClusterHeld, openCluster } from '../embedded-postgres/cluster/cluster.ts'
import { ClusterError } from '../embedded-postgres/cluster-error.ts'
import { fillNewDatabase } from '../first-loads.ts'
import type { Config } from '../platform/config.ts'
import { clusterNames } from '../platform/database/cluster-names.ts'
import type { Connection } from '../platform/database/connect.ts'
import { migrate } from '../platform/database/migrate.ts'
import { openDatabase, roleOf } from '../platform/database/open.ts'
import { StartError } from '../platform/start-error.ts'

export type CommandDatabase = {
  service: Connection
  embedded: boolean
  /** Stops what was started for the command, and only that. */
  close: () => Promise<void>
}
type Log = (message: string) => void

const patienceMs = 30_000

/**
 * The database for a command, beside a running service or without one. Only a cluster that the command itself starts
 * is migrated: under a running service, and behind DATABASE_URL, the shape of the tables is the service's business.
 */
export async function openForCommand(config: Config, log: Log): Promise<CommandDatabase> {
  if (config.databaseUrl !== null) return openExternal(config, log)
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(200)) {
    const opened = (await joinRunning(config.dataDir)) ?? (await startOwn(config.dataDir, log))
    if (opened !== null) return opened
  }
  throw new StartError(
    `The Parvis on the data folder ${config.dataDir} is not ready: try again when it has started.`,
  )
}

async function openExternal(config: Config, log: Log): Promise<CommandDatabase> {
  const database = await openDatabase(config, log)
  if (await isReady(database.service)) return database
  throw new StartError('The database that DATABASE_URL names is not set up yet: start Parvis on it once.')
}

/** Null while no service runs, or while it is still starting. */
async function joinRunning(dataDir: string): Promise<CommandDatabase | null> {
  const running = await connectToRunningCluster(dataDir, clusterNames)
  if (running === null || !(await isReady(running.service))) return null
  return { service: running.service, embedded: true, close: async () => {} }
}

/** Null when a service holds the folder, also when it took it in the instant between looking and starting. */
async function startOwn(dataDir: string, log: Log): Promise<CommandDatabase | null> {
  if (isClusterHeld(dataDir, clusterNames)) return null
  const cluster = await openCluster({ dataDir, names: clusterNames, log }).catch((error) => {
    if (error instanceof ClusterError && isClusterHeld(dataDir, clusterNames)) return null
    throw error
  })
  if (cluster === null) return null
  const { owner, service, stop } = cluster
  try {
    await migrate(owner, roleOf(service), (db) => fillNewDatabase(db, false, log))
  } catch (error) {
    await stop()
    throw error
  }
  return { service, embedded: true, close: stop }
}

/** Its tables are there and the communes are in: the last that a start does before it serves. */
async function isReady(service: Connection): Promise<boolean> {
  const client = new pg.Client({ ...service, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query("select from first_loads where name = 'communes'")
    return rows.length > 0
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
