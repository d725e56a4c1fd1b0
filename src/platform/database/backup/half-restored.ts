import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replacePlainFile, syncFolder } from '../../../embedded-postgres/files/plain-file.ts'
import { StartError } from '../../config/start-error.ts'
import { clusterNames } from '../cluster-names.ts'

/**
 * Marker file present while a restore runs, so that an interrupted restore is not taken for a new database.
 */
const markOf = (dataDir: string) => join(dataDir, 'restoring')

export const markRestoring = (dataDir: string) => replacePlainFile(markOf(dataDir), '', 0o600)

export function finishRestore(dataDir: string): void {
  rmSync(markOf(dataDir))
  syncFolder(dataDir)
}

/** Refuses a folder whose restore was killed, after stopping the PostgreSQL that it left running. */
export async function refuseHalfRestored(dataDir: string): Promise<void> {
  if (!existsSync(markOf(dataDir))) return
  const { isClusterHeld, stopLeftover } = await import('../../../embedded-postgres/cluster/cluster.ts')
  if (isClusterHeld(dataDir, clusterNames))
    throw new StartError(`A restore into ${dataDir} is under way: wait until it has ended.`)
  await stopLeftover(dataDir, clusterNames)
  throw new StartError(
    `A restore into ${dataDir} was not finished: move that folder away, and restore again.`,
  )
}
