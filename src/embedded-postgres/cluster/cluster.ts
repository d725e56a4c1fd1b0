import { accessSync, chmodSync, constants, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ClusterError } from '../cluster-error.ts'
import { findBinaries, findPackage } from '../files/binaries.ts'
import { readId } from '../files/home.ts'
import { findPaths, preparePaths } from '../files/paths.ts'
import { refuseUntrusted } from '../files/trust.ts'
import type { Names } from '../names.ts'
import { chooseServerUser } from '../user/server-user.ts'
import { type ClusterConnections, ensureConnections, readConnections } from './connections.ts'
import { createData } from './create-data.ts'
import { keepRunning, type Launch, type RunningServer } from './keep-running.ts'
import { isLocked, type Lock, takeLock } from './lock.ts'
import { isPasswordRefusal, prepareRoles, resetSuperuser } from './roles.ts'
import { stopOrphan } from './stop-orphan.ts'

/** A running cluster; `home` is the folder with its files. */
export type Cluster = ClusterConnections & { home: string; stop(): Promise<void> }
export type ClusterOptions = {
  dataDir: string
  names: Names
  log: (message: string) => void
  durable?: boolean
  maxConnections?: number
  /** Runs in the locked folder before anything of the cluster is created or started. */
  prepare?: (folder: string) => void
}

/** Starts the PostgreSQL of this data folder, creates it at the first start, and keeps it running until `stop`. */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, names, log, durable = true, maxConnections } = options
  // Before a folder is created that nothing will use.
  await findPackage(names)
  const folder = prepareFolder(dataDir, names)
  const locks = [takeLock(join(folder, 'lock'), names.dataDirSetting) ?? refuseSecond(dataDir, names)]
  try {
    options.prepare?.(folder)
    const user = chooseServerUser(names)
    const binaries = await findBinaries(folder, user, names)
    const paths = await preparePaths({ dataDir: folder, user, names, log })
    locks.push(takeLock(paths.lock, names.dataDirSetting) ?? refuseShared(dataDir, names))
    await stopOrphan(paths.data, log)

    const connections = ensureConnections(folder, paths, names)
    const launch = { binaries, paths, user, durable, maxConnections, log }
    await createData(launch, connections.superuser, names.product)
    const server = await startWithRoles(launch, connections)
    return { ...connections, home: paths.home, stop: () => server.stop().finally(() => releaseAll(locks)) }
  } catch (error) {
    releaseAll(locks)
    throw error
  }
}

/** Returns true if a running service has locked this data folder. */
export function isClusterHeld(dataDir: string, { dataDirSetting }: Names): boolean {
  refuseUntrusted(dataDir, dataDirSetting)
  return isLocked(join(dataDir, 'lock'))
}

/** Returns true if this data folder has a cluster. If that is unknown, `openCluster` reports why. */
export function hasCluster(dataDir: string, names: Names): boolean {
  refuseUntrusted(dataDir, names.dataDirSetting)
  try {
    accessSync(dataDir, constants.R_OK | constants.X_OK)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
  const paths = findPaths(dataDir, names)
  return paths ? existsSync(paths.data) : readId(dataDir) !== null
}

/**
 * Returns the connections of a running service, for commands, or null if none runs. Right after a start,
 * PostgreSQL may not respond yet.
 */
export async function connectToRunningCluster(
  dataDir: string,
  names: Names,
): Promise<ClusterConnections | null> {
  return isClusterHeld(dataDir, names) ? readConnections(realpathSync(dataDir), names) : null
}

/** Deletes the data folder and its cluster, which may be elsewhere (see home.ts); refuses while it runs. */
export function removeCluster(dataDir: string, names: Names): Promise<void> {
  return whileStopped(dataDir, names, async (folder, paths) => {
    if (paths) await rm(paths.home, { recursive: true })
    await rm(folder, { recursive: true })
  })
}

/** Stops a PostgreSQL that a killed process left running on this folder; refuses while a service uses it. */
export const stopLeftover = (dataDir: string, names: Names): Promise<void> =>
  whileStopped(dataDir, names, async () => {})

async function whileStopped(
  dataDir: string,
  names: Names,
  work: (folder: string, paths: ReturnType<typeof findPaths>) => Promise<void>,
): Promise<void> {
  refuseUntrusted(dataDir, names.dataDirSetting)
  const folder = realpathSync(dataDir)
  const lock = takeLock(join(folder, 'lock'), names.dataDirSetting) ?? refuseSecond(dataDir, names)
  try {
    const paths = findPaths(folder, names)
    if (paths) await stopOrphan(paths.data, () => {})
    await work(folder, paths)
  } finally {
    lock.release()
  }
}

async function startWithRoles(launch: Launch, connections: ClusterConnections): Promise<RunningServer> {
  const start = async () => withRoles(await keepRunning(launch), connections)
  try {
    return await start()
  } catch (error) {
    if (!isPasswordRefusal(error)) throw error
    launch.log('The secrets do not fit the database: the passwords are reset')
    await resetSuperuser(launch, connections.superuser)
    return start()
  }
}

async function withRoles(server: RunningServer, connections: ClusterConnections): Promise<RunningServer> {
  try {
    await prepareRoles(connections)
    return server
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Creates the folder. As root, lets PostgreSQL's user pass through but not list it; secrets stay private. */
function prepareFolder(dataDir: string, { dataDirSetting }: Names): string {
  try {
    refuseUntrusted(dataDir, dataDirSetting)
    if (!existsSync(dataDir)) {
      makeFolder(dataDir)
      chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
    }
    if (!statSync(dataDir).isDirectory())
      throw new ClusterError(`${dataDir} is not a folder: set another ${dataDirSetting}.`)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    refuseUntrusted(dataDir, dataDirSetting)
    return realpathSync(dataDir)
  } catch (error) {
    if (error instanceof ClusterError) throw error
    const code = error instanceof Error && 'code' in error ? `${error.code}` : ''
    const another =
      code === 'EACCES' && process.getuid?.() !== 0 ? 'start as the user it belongs to, or ' : ''
    throw new ClusterError(
      `The data folder ${dataDir} cannot be written${code && ` (${code})`}: ${another}set another ${dataDirSetting}.`,
    )
  }
}

/** Creates one level at a time: Node's recursive mkdir never returns in places such as /proc. */
function makeFolder(folder: string): void {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, 0o755)
  } catch (error) {
    if (!existsSync(folder)) throw error // Otherwise a concurrent start created it.
  }
}

function refuseSecond(dataDir: string, { product, dataDirSetting }: Names): never {
  throw new ClusterError(
    `Another ${product} already runs on the data folder ${dataDir}; stop it or set another ${dataDirSetting}.`,
  )
}

function refuseShared(dataDir: string, { product }: Names): never {
  throw new ClusterError(
    `The database of ${dataDir} is in use by another ${product}, started from a copy of this folder; stop it, or remove ${join(dataDir, 'cluster-id')} to give this copy an empty database of its own.`,
  )
}

function releaseAll(locks: Lock[]): void {
  for (const lock of locks.splice(0).reverse()) lock.release()
}
