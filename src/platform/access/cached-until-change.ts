import type { Changes } from '../database/changes.ts'

export type CachedValue<Found> = {
  /** Returns what is cached; undefined if nothing is, or if it is outdated. */
  current(): Found | undefined
  /** Returns what is cached, or reads it; undefined if a table changed meanwhile or notifications may be missed. */
  read(): Promise<Found | undefined>
}

/** Caches one result for all requests until one of the tables changes. Concurrent requests share a read. */
export function cachedUntilChange<Found>(
  changes: Changes | null,
  tables: readonly string[],
  find: () => Promise<Found>,
): CachedValue<Found> {
  let cached: { generation: number; found: Found } | null = null
  let reading: Promise<Found | undefined> | null = null
  const generation = () => changes?.generationOf(tables) ?? null

  function current(): Found | undefined {
    return cached !== null && cached.generation === generation() ? cached.found : undefined
  }
  async function readNow(): Promise<Found | undefined> {
    const now = generation()
    if (now === null) return undefined
    const found = await find()
    cached = { generation: now, found }
    return now === generation() ? found : undefined
  }
  return {
    current,
    async read() {
      const known = current()
      if (known !== undefined) return known
      reading ??= readNow().finally(() => {
        reading = null
      })
      return reading
    },
  }
}
