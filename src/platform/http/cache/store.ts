import type { Changes } from '../../database/changes.ts'

/**
 * Returns the milliseconds until a table's public content next changes without a write; negative for a change
 * in the last `lookbackMs`; null: never. Uses the database's clock, which decides visibility.
 */
export type NextChange = (lookbackMs: number) => Promise<number | null>

export type CachedResponse = {
  route: string
  /** In the form of `writeHead`: names and values alternate. */
  headers: readonly string[]
  /** Headers for a 304. */
  headersOf304: readonly string[]
  etag: string
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
  begin(key: string, tables: readonly string[]): Read
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
  tables: readonly string[]
  /** Generation of its tables when the read started. */
  generation: number | null
  state: 'queued' | 'reading' | 'ended'
  /** The content does not change without a write before this time. */
  until: Promise<number>
  followers: { since: number; follow: Follow }[]
}

type Entry = CachedResponse & { tables: readonly string[]; generation: number; until: number }
/** Period in which a table's content does not change without a write. */
type Calm = { since: number; until: Promise<number> }

/** Each follower holds a request and a connection. */
const maxFollowers = 4_096

const maxBodyBytes = 256 * 1_024
/** Longer than the query takes, but not by much: for this long after a timed change nothing is cached. */
const lookbackMs = 200
/** Approximate size of an entry in addition to body and key. */
const overhead = 1_000

/** Maximum number of keys remembered as requested once. Very long keys are never remembered. */
const mostRemembered = 10_000
const longestRemembered = 500

/**
 * Caches responses to public reads by key. Most requests are never repeated, above all those of robots, so a
 * response is cached from the second request on: begun → cached → evicted. A cached response is a hit only
 * while
 * - no table that it shows has changed since it was begun, on any instance, and notifications arrive;
 * - its content has not changed with time.
 * The least recently used entries are evicted first.
 *
 * Concurrent identical reads are computed once. A read is
 * - queued → reading: it starts, and records the generation of its tables. Until then any identical request
 *   may join;
 * - reading: a request may join if no change has arrived since the start. A request that arrives after a
 *   change therefore never gets an older response, even if other requests wait for that response;
 * - ended: the followers get the response. If there is none (an error, or a client that disconnected while
 *   queued), or if the content changed with time before a follower joined, each follower runs its own read.
 */
export function createResponseCache(
  changes: Changes,
  nextChanges: Readonly<Record<string, NextChange>>,
  { maxBytes = 64 * 2 ** 20 } = {},
): ResponseCache {
  const entries = new Map<string, Entry>()
  const calms = new Map<string, Calm & { generation: number }>()
  const inProgress = new Map<string, ReadState>()
  const wasRequested = rememberKeys()
  let followers = 0
  let shared = 0
  let bytes = 0
  let hits = 0
  let misses = 0

  const sizeOf = (key: string, { body }: CachedResponse) => body.length + 2 * key.length + overhead
  function evict(key: string, response: Entry) {
    entries.delete(key)
    bytes -= sizeOf(key, response)
  }

  /** Returns a period without timed changes; concurrent callers share one query. */
  function calmOf(table: string, next: NextChange): Calm {
    const generation = changes.generationOf([table]) ?? -1
    const known = calms.get(table)
    if (known !== undefined && known.generation === generation) return known
    const since = performance.now()
    const until = next(lookbackMs).then(
      (ms) => {
        // After a slow query, the lookback may begin later than the first read.
        if (performance.now() - since > lookbackMs) return 0
        return ms === null ? Number.POSITIVE_INFINITY : since + ms
      },
      () => 0,
    )
    const calm = { since, until, generation }
    calms.set(table, calm)
    until.then((end) => forgetAt(table, calm, end))
    return calm
  }
  function forgetAt(table: string, calm: Calm, end: number) {
    const forget = () => {
      if (calms.get(table) === calm) calms.delete(table)
    }
    const ms = end - performance.now()
    if (ms <= 0) forget()
    else setTimeout(forget, Math.min(ms, 2 ** 31 - 1)).unref()
  }

  async function nextChange(tables: readonly string[]): Promise<number> {
    const timed = tables.filter((table) => nextChanges[table] !== undefined)
    const calms = timed.map((table) => calmOf(table, nextChanges[table] as NextChange))
    return Math.min(...(await Promise.all(calms.map((calm) => calm.until))))
  }
  function store(key: string, response: CachedResponse, { tables, generation }: ReadState, until: number) {
    if (response.body.length > maxBodyBytes || key.length > longestRemembered) return
    if (generation === null || changes.generationOf(tables) !== generation) return
    if (performance.now() >= until) return
    const before = entries.get(key)
    if (before !== undefined) evict(key, before)
    entries.set(key, { ...response, tables, generation, until })
    bytes += sizeOf(key, response)
    for (const [oldest, each] of entries) {
      if (bytes <= maxBytes) break
      evict(oldest, each)
    }
  }

  return {
    find(key) {
      const response = entries.get(key)
      if (response === undefined) return null
      const isFresh =
        response.generation === changes.generationOf(response.tables) && performance.now() < response.until
      if (!isFresh) {
        evict(key, response)
        return null
      }
      hits++
      // Moves it to the end of the eviction order.
      entries.delete(key)
      entries.set(key, response)
      return response
    },
    join(key, follow) {
      const read = inProgress.get(key)
      if (read === undefined || followers >= maxFollowers) return false
      const generation = changes.generationOf(read.tables)
      if (generation === null || (read.state === 'reading' && read.generation !== generation)) return false
      followers++
      read.followers.push({ since: performance.now(), follow })
      return true
    },
    begin(key, tables) {
      misses++
      const isKnown = wasRequested(key)
      const read: ReadState = {
        ...{ tables, generation: null, state: 'queued', until: never, followers: [] },
      }
      inProgress.set(key, read)
      return {
        start() {
          if (read.state !== 'queued') return
          read.state = 'reading'
          read.generation = changes.generationOf(tables)
          if (read.generation !== null) read.until = nextChange(tables)
        },
        async end(response) {
          if (read.state === 'ended') return
          const isShareable = read.state === 'reading' && read.generation !== null && response !== null
          read.state = 'ended'
          if (inProgress.get(key) === read) inProgress.delete(key)
          followers -= read.followers.length
          if (!isShareable) {
            for (const { follow } of read.followers) follow(null)
            return
          }
          const isPopular = isKnown || read.followers.length > 0
          if (!isPopular) return
          const until = await read.until
          for (const { since, follow } of read.followers) {
            if (since < until) shared++
            follow(since < until ? response : null)
          }
          store(key, response, read, until)
        },
      }
    },
    get bytes() {
      return bytes
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

/** Returns whether a key was requested before. Evicts the older half when full. */
function rememberKeys(): (key: string) => boolean {
  let recent = new Set<string>()
  let older = new Set<string>()
  return (key) => {
    if (key.length > longestRemembered) return false
    const isKnown = recent.has(key) || older.has(key)
    recent.add(key)
    if (recent.size >= mostRemembered) [recent, older] = [new Set(), recent]
    return isKnown
  }
}
