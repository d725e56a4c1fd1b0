import { setTimeout as sleep } from 'node:timers/promises'
import type { WatchedChanges } from '../changes.ts'
import type { Position, PrimaryPosition } from './position.ts'

export type RequiredPositions = WatchedChanges & {
  readonly isListening: boolean
  /**
   * Returns the position that a replica must have replayed for a read of these tables (null: of any table), so that it
   * shows every change of which a notification has arrived; null while that is unknown.
   */
  of(keys: readonly string[] | null): Position | null
  /** Reads the position of the primary, also to notice a new history. */
  refresh(): Promise<PrimaryPosition>
}

const retryMs = 200

/**
 * Tracks after which position of the primary's WAL the last change of each table lies. A notification arrives after its
 * commit and does not contain the position, so it is read from the primary afterwards. States of a table:
 * - known → unknown: a notification of a change arrived;
 * - unknown → known: the position that was read after that includes the change.
 *
 * All tables are unknown until notifications arrive and a position was read; a new history makes all earlier positions
 * invalid. Finer keys than tables (`publications:…`, `publications*`) count for their table, so there are few.
 */
export function requiredPositions(read: () => Promise<PrimaryPosition>): RequiredPositions {
  const known = new Map<string, number>()
  let base: Position | null = null
  let unknown = new Set<string>()
  let inReading = new Set<string>()
  let isListening = false
  let connection = 0
  let isReading = false

  function take(position: Position, tables: Iterable<string>) {
    if (base?.history !== position.history) {
      base = { history: position.history, lsn: position.lsn }
      known.clear()
    }
    for (const table of tables) known.set(table, position.lsn)
  }
  /** Reads positions one after the other until all are known; changes notified meanwhile share the next one. */
  async function readUnknown() {
    if (isReading) return
    isReading = true
    while (isListening && (base === null || unknown.size > 0)) {
      const current = connection
      inReading = unknown
      unknown = new Set()
      const position = await read().catch(() => null)
      if (position !== null && current === connection) take(position, inReading)
      else unknown = unknown.union(inReading)
      inReading = new Set()
      if (position === null) await sleep(retryMs, undefined, { ref: false })
    }
    isReading = false
  }
  const isUnknown = (table: string) => unknown.has(table) || inReading.has(table)

  return {
    listening() {
      connection++
      isListening = true
      base = null
      known.clear()
      void readUnknown()
    },
    notified(key) {
      unknown.add(tableOf(key))
      void readUnknown()
    },
    lost() {
      connection++
      isListening = false
      base = null
    },
    get isListening() {
      return isListening
    },
    of(keys) {
      if (!isListening || base === null) return null
      if (keys === null && (unknown.size > 0 || inReading.size > 0)) return null
      const tables = keys === null ? [...known.keys()] : keys.map(tableOf)
      if (tables.some(isUnknown)) return null
      return { ...base, lsn: Math.max(base.lsn, ...tables.map((table) => known.get(table) ?? 0)) }
    },
    async refresh() {
      const current = connection
      const position = await read()
      if (isListening && current === connection) take(position, [])
      return position
    },
  }
}

const tableOf = (key: string) => key.split(/[:*]/, 1)[0] ?? key
