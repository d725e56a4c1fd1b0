import { type FreeSpaceWatch, watchFreeSpace } from '../../../embedded-postgres/files/free-space.ts'
import type { Text } from '../../errors.ts'

/** Null while writes are accepted, else the reason. `watchDisk` sets it; requests that write check it. */
export type WriteState = { writesRefused: Text | null }

type Say = (about: object, message: string) => void
type Watched = {
  folder: string
  writeState: WriteState
  jobs: { pause(): Promise<void>; resume(): Promise<void> }
  log: { warn: Say; info: Say }
}

/**
 * Refuses writes and pauses jobs while the embedded database's disk is nearly full. Returns a function that
 * stops it.
 */
export function watchDisk(
  { folder, writeState, jobs, log }: Watched,
  options: Pick<FreeSpaceWatch, 'look' | 'everyMs'> = {},
): () => void {
  const switchJobs = (change: Promise<void>) =>
    void change.catch((err) => log.warn({ err }, 'the jobs could not be paused or resumed'))
  const inMb = (bytes: number) => Math.floor(bytes / 1_048_576)
  return watchFreeSpace({
    ...options,
    folder,
    onLow(freeBytes) {
      writeState.writesRefused = diskFull
      switchJobs(jobs.pause())
      log.warn(
        { folder, free_mb: inMb(freeBytes) },
        'the disk is full: writes are refused, jobs wait, reads work',
      )
    },
    onRecovered(freeBytes) {
      writeState.writesRefused = null
      switchJobs(jobs.resume())
      log.info({ folder, free_mb: inMb(freeBytes) }, 'the disk has free space again: writes are accepted')
    },
  })
}

const diskFull = {
  en: 'The disk is full: reading works, writing does not for now.',
  fr: 'Le disque est plein : la lecture fonctionne, l’écriture est impossible pour le moment.',
}
