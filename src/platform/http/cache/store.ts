import type { Changes } from '../../database/changes.ts'
import type { CountedPage } from '../counted-pages.ts'
import { findNextChange, type NextChange } from './timed-changes.ts'

export type CachedResponse = {
  route: string
  /** Headers of a 200 and of a 304, in the form of `writeHead`; most responses of a route share the array. */
  headers: readonly string[]
  contentType: string
  etag: string
  lastModified?: string | undefined
  /** Pages of any origin may read it. */
  isOpen?: boolean
  /** The record that it shows, where readings are counted. */
  countedPage?: CountedPage
  /** The bytes as Latin-1 text, so that headers and body are sent in one write. */
  body: string
}
export type ResponseCache = {
  find(key: string): CachedResponse | null
  /**
   * Calls `follow` with the response of an identical read in progress, or with null if that read has none to
   * share. Returns false, without calling `follow`, if there is no such read.
   */
  join(key: string, follow: Follow): boolean
  /** Begins a read that others may join. Call `start` before the first query, and `end` in any case. */
  begin(key: string, tags: readonly string[]): Read
  readonly bytes: number
  readonly hits: number
  readonly misses: number
  /** Requests that wait for the response of another request (`joined`), and that received it (`shared`). */
  readonly joined: number
  readonly shared: number
}

type Follow = (response: CachedResponse | null) => void

export type Read = {
  start(): void
  /** Ends the read; null if there is no response to share. Idempotent. */
  end(response: CachedResponse | null): Promise<void>
}

type ReadState = {
  tags: readonly string[]
  /** Generation of its tags when the read started. */
  generation: number | null
  state: 'queued' | 'reading' | 'ended'
  /** The content does not change without a write before this time. */
  until: Promise<number>
  followers: { since: number; follow: Follow }[]
}

type Entry = CachedResponse & { tags: readonly string[]; generation: number; until: number }
/** Each follower holds a request and a connection. */
const maxFollowers = 4_096
export const defaultCacheBytes = 64 * 2 ** 20

const maxBodyBytes = 256 * 1_024
/** Approximate size of an entry in addition to body and key. */
const overhead = 1_000

/** Maximum number of keys remembered as requested once. Very long keys are never remembered. */
const maxRemembered = 10_000
const longestRemembered = 500

/**
 * Caches responses to public reads by key. A cached response is a hit only while
 * - nothing that it shows, by its tags, has changed since it was begun, on any instance, and notifications
 *   arrive;
 * - its content has not changed with time.
 *
 * Most requests are never repeated, above all those of robots. A response is `added`, then `repeated` when its
 * key is requested again. The least recently used entries are evicted first: added ones while these occupy more
 * than a quarter of the memory, else repeated ones.
 *
 * Concurrent identical reads are computed once. A read is
 * - queued → reading: it starts, and records the generation of its tags. Until then any identical request
 *   may join;
 * - reading: a request may join if no change has arrived since the start. A request that arrives after a
 *   change therefore never gets an older response, even if other requests wait for that response;
 * - ended: the followers get the response. If there is none (an error, or a client that disconnected while
 *   queued), or if the content changed with time before a follower joined, each follower runs its own read.
 */
export function createResponseCache(
  changes: Changes,
  nextChanges: Readonly<Record<string, NextChange>>,
  { maxBytes = defaultCacheBytes } = {},
): ResponseCache {
  const added = leastRecentlyUsed()
  const repeated = leastRecentlyUsed()
  const nextChange = findNextChange(changes, nextChanges)
  const inProgress = new Map<string, ReadState>()
  const wasRequested = rememberKeys()
  let followers = 0
  let shared = 0
  let hits = 0
  let misses = 0

  function store(key: string, entry: Entry, isRepeated: boolean) {
    if (entry.body.length > maxBodyBytes || key.length > longestRemembered) return
    if (changes.generationOf(entry.tags) !== entry.generation || performance.now() >= entry.until) return
    added.remove(key)
    repeated.remove(key)
    ;(isRepeated ? repeated : added).add(key, entry)
    while (added.bytes + repeated.bytes > maxBytes)
      (added.bytes > maxBytes / 4 ? added : repeated).removeOldest()
  }

  return {
    find(key) {
      const entry = repeated.remove(key) ?? added.remove(key)
      if (entry === undefined) return null
      // Otherwise it stays removed.
      if (entry.generation !== changes.generationOf(entry.tags) || performance.now() >= entry.until)
        return null
      hits++
      repeated.add(key, entry)
      return entry
    },
    join(key, follow) {
      const read = inProgress.get(key)
      if (read === undefined || followers >= maxFollowers) return false
      const generation = changes.generationOf(read.tags)
      if (generation === null || (read.state === 'reading' && read.generation !== generation)) return false
      followers++
      read.followers.push({ since: performance.now(), follow })
      return true
    },
    begin(key, tags) {
      misses++
      const isKnown = wasRequested(key)
      const read: ReadState = {
        ...{ tags, generation: null, state: 'queued', until: never, followers: [] },
      }
      inProgress.set(key, read)
      return {
        start() {
          if (read.state !== 'queued') return
          read.state = 'reading'
          read.generation = changes.generationOf(tags)
          if (read.generation !== null) read.until = nextChange(tags)
        },
        async end(response) {
          if (read.state === 'ended') return
          const { generation } = read
          const isShareable = read.state === 'reading' && generation !== null && response !== null
          read.state = 'ended'
          if (inProgress.get(key) === read) inProgress.delete(key)
          followers -= read.followers.length
          if (!isShareable) {
            for (const { follow } of read.followers) follow(null)
            return
          }
          const until = await read.until
          for (const { since, follow } of read.followers) {
            if (since < until) shared++
            follow(since < until ? response : null)
          }
          const isRepeated = isKnown || read.followers.length > 0
          store(key, { ...response, tags, generation, until }, isRepeated)
        },
      }
    },
    get bytes() {
      return added.bytes + repeated.bytes
    },
    get hits() {
      return hits
    },
    get misses() {
      return misses
    },
    get joined() {
      return followers
    },
    get shared() {
      return shared
    },
  }
}

const never = Promise.resolve(0)

const sizeOf = (key: string, { body }: Entry) => body.length + 2 * key.length + overhead

/** Stores entries in the order of their last use. */
function leastRecentlyUsed() {
  const entries = new Map<string, Entry>()
  let bytes = 0
  function remove(key: string): Entry | undefined {
    const entry = entries.get(key)
    if (entry === undefined) return
    entries.delete(key)
    bytes -= sizeOf(key, entry)
    return entry
  }
  return {
    remove,
    removeOldest() {
      const [key] = entries.keys()
      if (key !== undefined) remove(key)
    },
    add(key: string, entry: Entry) {
      entries.set(key, entry)
      bytes += sizeOf(key, entry)
    },
    get bytes() {
      return bytes
    },
  }
}

/** Returns whether a key was requested before. Evicts the older half when full. */
function rememberKeys(): (key: string) => boolean {
  let recent = new Set<string>()
  let older = new Set<string>()
  return (key) => {
    if (key.length > longestRemembered) return false
    const isKnown = recent.has(key) || older.has(key)
    recent.add(key)
    if (recent.size >= maxRemembered) [recent, older] = [new Set(), recent]
    return isKnown
  }
}
