import { accessSync, chmodSync, constants, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { StartError } from '../../start-error.ts'
import { findBinaries } from './binaries.ts'
import { type ClusterConnections, ensureConnections, readConnections } from './connections.ts'
import { createData } from './creation.ts'
import { isLocked, type Lock, takeLock } from './lock.ts'
import { stopOrphan } from './orphan.ts'
import { claimPlace, findPlace } from './place.ts'
import { type Postmaster, runPostmaster } from './postmaster.ts'
import { isPasswordRefusal, prepareRoles, resetSuperuser } from './roles.ts'
import { chooseRunner, stagingFolder } from './runner.ts'

export type { ClusterConnection, ClusterConnections } from './connections.ts'
export type Cluster = ClusterConnections & { stop(): Promise<void> }
export type ClusterOptions = { dataDir: string; log: (message: string) => void; durable?: boolean }

/** Starts the PostgreSQL of this data folder, made at the first start, and keeps it running until `stop`. */
export async function openCluster({ dataDir, log, durable = true }: ClusterOptions): Promise<Cluster> {
  const folder = prepareFolder(dataDir)
  const locks = [takeLock(join(folder, 'lock')) ?? refuseSecond(dataDir)]
  try {
    const runner = chooseRunner(folder)
    const binaries = await findBinaries(runner, stagingFolder(folder, runner))
    const place = await claimPlace({ dataDir: folder, runner, log })
    locks.push(takeLock(place.lock) ?? refuseShared(dataDir))
    await stopOrphan(place.data, log)

    const connections = ensureConnections(folder, place)
    const launch = { binaries, place, runner, superuser: connections.superuser, durable, log }
    await createData(launch)
    const start = async () => preparedOrStopped(await runPostmaster(launch), connections)
    const postmaster = await start().catch(async (error: unknown) => {
      if (!isPasswordRefusal(error)) throw error
      log('The secrets do not fit the database: its passwords are set anew')
      await resetSuperuser(launch)
      return start()
    })
    return { ...connections, stop: () => postmaster.stop().finally(() => releaseAll(locks)) }
  } catch (error) {
    releaseAll(locks)
    throw error
  }
}

/** Whether a running Parvis holds this data folder. */
export function isClusterHeld(dataDir: string): boolean {
  return isLocked(join(dataDir, 'lock'))
}

/**
 * For commands beside a running service: how to reach its database, or null when none runs. Just after a start it may
 * not answer yet.
 */
export async function connectToRunningCluster(dataDir: string): Promise<ClusterConnections | null> {
  return isClusterHeld(dataDir) ? readConnections(realpathSync(dataDir)) : null
}

/** Removes the data folder with its cluster, which may lie elsewhere (see place.ts); refused while one runs on it. */
export async function removeCluster(dataDir: string): Promise<void> {
  const folder = realpathSync(dataDir)
  const lock = takeLock(join(folder, 'lock')) ?? refuseSecond(dataDir)
  try {
    const place = findPlace(folder)
    if (place) {
      await stopOrphan(place.data, () => {})
      await rm(place.home, { recursive: true })
    }
    await rm(folder, { recursive: true })
  } finally {
    lock.release()
  }
}

async function preparedOrStopped(
  postmaster: Postmaster,
  connections: ClusterConnections,
): Promise<Postmaster> {
  try {
    await prepareRoles(connections)
    return postmaster
  } catch (error) {
    await postmaster.stop()
    throw error
  }
}

/** Made by root, the folder lets the database's own user pass through (not list); its secrets stay closed. */
function prepareFolder(dataDir: string): string {
  try {
    if (!existsSync(dataDir)) {
      makeFolder(dataDir)
      chmodSync(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700)
    }
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return realpathSync(dataDir)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
    throw new StartError(
      `The data folder ${dataDir} cannot be written${reason}: start as the user it belongs to, or set another DATA_DIR.`,
    )
  }
}

/** One by one: Node's own way to make the parents too never ends in a place that takes no folder, such as /proc. */
function makeFolder(folder: string): void {
  if (!existsSync(dirname(folder))) makeFolder(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    if (!existsSync(folder)) throw error // Otherwise another start was faster.
  }
}

function refuseSecond(dataDir: string): never {
  throw new StartError(
    `Another Parvis already runs on the data folder ${dataDir}; stop it or set another DATA_DIR.`,
  )
}

function refuseShared(dataDir: string): never {
  throw new StartError(
    `The database of ${dataDir} is in use by another Parvis, started from a copy of this folder; stop it, or remove ${join(dataDir, 'cluster-id')} to give this copy an empty database of its own.`,
  )
}

function releaseAll(locks: Lock[]): void {
  for (const lock of locks.splice(0).reverse()) lock.release()
}
