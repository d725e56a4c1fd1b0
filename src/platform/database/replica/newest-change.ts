import { setTimeout as sleep } from 'node:timers/promises'
import type { WatchedChanges } from '../changes.ts'
import type { Position } from './position.ts'

export type NewestChange = WatchedChanges & {
  /** A position that includes every change of which a notification has arrived; null while it is unknown. */
  position(): Position | null
}

const retryMs = 200

/**
 * Tracks where the newest change lies in the primary's WAL. A notification does not contain its position, so it is read from
 * the primary afterwards. States:
 * - known → unknown: a notification arrived, or none may arrive;
 * - unknown → known: a position was read while nothing more was notified.
 */
export function newestChange(read: () => Promise<Position>): NewestChange {
  let known: Position | null = null
  let heard = 0
  let isListening = false
  let isReading = false

  async function readUnknown() {
    if (isReading) return
    isReading = true
    while (isListening && known === null) {
      const before = heard
      const position = await read().catch(() => null)
      if (before === heard) known = position
      if (position === null) await sleep(retryMs, undefined, { ref: false })
    }
    isReading = false
  }
  function forget() {
    heard++
    known = null
    void readUnknown()
  }
  return {
    listening() {
      isListening = true
      forget()
    },
    notified: forget,
    lost() {
      isListening = false
      forget()
    },
    position: () => known,
  }
}
