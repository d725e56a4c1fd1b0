import { type FreeSpaceWatch, watchFreeSpace } from '../../embedded-postgres/files/free-space.ts'
import type { WriteGate } from '../http/overload/write-gate.ts'

type Say = (about: object, message: string) => void
type Watched = { folder: string; gate: WriteGate; log: { warn: Say; info: Say } }

/** Closes the gate to writes while the disk of the embedded database is nearly full. Answers how to stop. */
export function watchDisk(
  { folder, gate, log }: Watched,
  options: Pick<FreeSpaceWatch, 'look' | 'everyMs'> = {},
): () => void {
  const inMb = (bytes: number) => Math.floor(bytes / 1_048_576)
  return watchFreeSpace({
    ...options,
    folder,
    onLow(freeBytes) {
      gate.writesRefused = diskFull
      log.warn({ folder, free_mb: inMb(freeBytes) }, 'the disk is full: writes are refused, reads go on')
    },
    onRecovered(freeBytes) {
      gate.writesRefused = null
      log.info({ folder, free_mb: inMb(freeBytes) }, 'the disk has room again: writes are taken')
    },
  })
}

const diskFull = {
  en: 'The disk of the service is full: it can be read, but nothing can be written for now.',
  fr: "Le disque du service est plein : la lecture reste possible, l'écriture non pour le moment.",
}
