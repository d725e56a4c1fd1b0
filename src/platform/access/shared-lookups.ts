import type { Changes } from '../database/changes.ts'

/**
 * Below the 250 ms within which a change must take effect on other instances, even if its notification is
 * lost.
 */
const maxAgeMs = 200
const maxKept = 10_000

type Lookup<Found> = { generation: number; until: number; found: Promise<Found> }

/** Shares lookups by key. `sameForMs` is how long the result stays as it is unless a table changes; 0: not cached. */
export type SharedLookups<Found> = (
  key: string,
  find: () => Promise<Found>,
  sameForMs: (found: Found) => number,
) => Promise<Found>

/**
 * Shares lookups within 200 ms, unless one of the tables that they read changes. While notifications may be
 * missed, nothing is shared.
 */
export function sharedLookups<Found>(
  changes: Changes | null,
  tables: readonly string[],
): SharedLookups<Found> {
  const lookups = new Map<string, Lookup<Found>>()

  return (key, find, sameForMs) => {
    const generation = changes?.generationOf(tables) ?? null
    if (generation === null) return find()
    const known = lookups.get(key)
    const now = performance.now()
    if (known !== undefined && known.generation === generation && now < known.until) return known.found
    const found = find()
    lookups.delete(key)
    const lookup = { generation, until: now + maxAgeMs, found }
    lookups.set(key, lookup)
    const forget = () => {
      if (lookups.get(key) === lookup) lookups.delete(key)
    }
    found.then((result) => {
      const ms = sameForMs(result)
      if (ms <= 0) forget()
      else lookup.until = Math.min(lookup.until, now + ms)
    }, forget)
    for (const oldest of lookups.keys()) {
      if (lookups.size <= maxKept) break
      lookups.delete(oldest)
    }
    return found
  }
}
