import { statfs } from 'node:fs/promises'

const MB = 1_048_576

/**
 * PostgreSQL stops when it cannot write its log. This floor covers a checkpoint, recovery and running
 * requests, and what a two-core machine can write until the next check.
 */
const defaultFloorBytes = 256 * MB

export type FreeSpaceWatch = {
  folder: string
  /** Called with the free bytes when they fall below the floor, and when they are well above it again. */
  onLow: (freeBytes: number) => void
  onRecovered: (freeBytes: number) => void
  floorBytes?: number
  everyMs?: number
  look?: (folder: string) => Promise<{ bavail: number; bsize: number }>
}

/** Watches the file system of a folder. Returns a function that stops it. */
export function watchFreeSpace({ folder, onLow, onRecovered, ...options }: FreeSpaceWatch): () => void {
  const { floorBytes = defaultFloorBytes, everyMs = 5_000, look = (path) => statfs(path) } = options
  let isLow = false
  let timer: NodeJS.Timeout | null = null
  let stopped = false

  function judge(freeBytes: number) {
    if (!isLow && freeBytes < floorBytes) {
      isLow = true
      onLow(freeBytes)
    } else if (isLow && freeBytes >= floorBytes * 1.25) {
      // Higher than the floor, so that small writes do not toggle the state at every check.
      isLow = false
      onRecovered(freeBytes)
    }
  }

  async function repeat() {
    // Counts the space available to an ordinary user, such as PostgreSQL's. A failed check reports nothing.
    const found = await look(folder).catch(() => null)
    if (stopped) return
    if (found) judge(found.bavail * found.bsize)
    timer = setTimeout(repeat, everyMs).unref()
  }

  repeat()
  return () => {
    stopped = true
    if (timer) clearTimeout(timer)
  }
}
