import { statfs } from 'node:fs/promises'

const MB = 1_048_576

/**
 * PostgreSQL stops when it cannot write its log. This is what its checkpoint, its recovery and the requests under way
 * may still take, and what a machine of two cores writes at full speed until the next look.
 */
const usualFloorBytes = 256 * MB

export type FreeSpaceWatch = {
  folder: string
  /** Told with the free bytes, when they have fallen below the floor and when they are well above it again. */
  onLow: (freeBytes: number) => void
  onRecovered: (freeBytes: number) => void
  floorBytes?: number
  everyMs?: number
  look?: (folder: string) => Promise<{ bavail: number; bsize: number }>
}

/** Watches the file system that a folder lies on, from now on. Answers how to stop. */
export function watchFreeSpace({ folder, onLow, onRecovered, ...options }: FreeSpaceWatch): () => void {
  const { floorBytes = usualFloorBytes, everyMs = 5_000, look = (path) => statfs(path) } = options
  let isLow = false
  let timer: NodeJS.Timeout | null = null
  let stopped = false

  function judge(freeBytes: number) {
    if (!isLow && freeBytes < floorBytes) {
      isLow = true
      onLow(freeBytes)
    } else if (isLow && freeBytes >= floorBytes * 1.25) {
      // Higher than the floor, or what little is written just below it would turn the answer at every look.
      isLow = false
      onRecovered(freeBytes)
    }
  }

  async function repeat() {
    // What an ordinary user may still take, as PostgreSQL is one. A look that fails says nothing.
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
