import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replacePlainFile, syncFolder } from '../../../embedded-postgres/files/plain-file.ts'
import { StartError } from '../../config/start-error.ts'

/**
 * Marker file present while a restore runs, so that an interrupted restore is not taken for a new database.
 */
const markOf = (dataDir: string) => join(dataDir, 'restoring')

export const markHalfRestored = (dataDir: string) => replacePlainFile(markOf(dataDir), '', 0o600)

export function markWhole(dataDir: string): void {
  rmSync(markOf(dataDir))
  syncFolder(dataDir)
}

export function refuseHalfRestored(dataDir: string): void {
  if (existsSync(markOf(dataDir)))
    throw new StartError(
      `A restore into ${dataDir} was not finished: move that folder away, and restore again.`,
    )
}
