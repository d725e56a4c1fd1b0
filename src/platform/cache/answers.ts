import type { Changes } from './changes.ts'

/**
 * In how many ms what a table shows changes by itself, were it `lookbackMs` ago (then less than nothing); null: never. By
 * the clock of the database, which decides what is shown.
 */
export type NextChange = (lookbackMs: number) => Promise<number | null>

export type KeptAnswer = {
  route: string
  /** As `writeHead` takes them: names and values by turns. */
  headers: readonly string[]
  /** The same for who has the answer already. */
  headersOf304: readonly string[]
  etag: string
  /** Its bytes, each as a character: with its headers it leaves in one piece, which bytes would not. */
  body: string
}
export type KeptAnswers = {
  find(key: string): KeptAnswer | null
  /**
   * To be called before anything is read for the answer; what it answers keeps it, if nothing has changed since. Null
   * where it is asked for the first time, or changes are not heard.
   */
  begin(key: string, tables: readonly string[]): ((answer: KeptAnswer) => Promise<void>) | null
  readonly bytes: number
  readonly hits: number
  readonly misses: number
}

type Kept = KeptAnswer & { tables: readonly string[]; generation: number; until: number }
/** Nothing changes by time between the two. */
type Calm = { since: number; until: Promise<number> }

const maxBodyBytes = 256 * 1_024
/** Longer than the question takes, and no longer than need be: just after a change by time nothing is kept. */
const lookbackMs = 200
/** What an entry costs beside its body and its key, about. */
const overhead = 1_000

/** Of so many keys it is known at least that they were asked for before; of long ones, which people do not write, never. */
const mostRemembered = 10_000
const longestRemembered = 500

/**
 * Answers to public reads, by what was asked. Most of what is asked for once is never asked for again, by robots above
 * all: so one is kept from its second time on. It goes begun → kept → gone, and is answered only while
 * - no table that it shows has changed since it was begun, on any instance, and changes are heard at all;
 * - no time has come at which what it shows changes by itself.
 * The ones that were asked for longest ago make room for new ones.
 */
export function keepAnswers(
  changes: Changes,
  nextChanges: Readonly<Record<string, NextChange>>,
  { maxBytes = 64 * 2 ** 20 } = {},
): KeptAnswers {
  const kept = new Map<string, Kept>()
  const calms = new Map<string, Calm & { generation: number }>()
  const wasAsked = rememberKeys()
  let bytes = 0
  let hits = 0
  let misses = 0

  const sizeOf = (key: string, { body }: KeptAnswer) => body.length + 2 * key.length + overhead
  function drop(key: string, answer: Kept) {
    kept.delete(key)
    bytes -= sizeOf(key, answer)
  }

  /** For how long nothing changes by time, from now on at least: asked once for all who come meanwhile. */
  function calmOf(table: string, next: NextChange): Calm {
    const generation = changes.generationOf([table]) ?? -1
    const known = calms.get(table)
    if (known !== undefined && known.generation === generation) return known
    const since = performance.now()
    const until = next(lookbackMs).then(
      (ms) => {
        // It looked back to a moment that may be later than the first reading.
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

  return {
    find(key) {
      const answer = kept.get(key)
      if (answer === undefined) return null
      const isFresh =
        answer.generation === changes.generationOf(answer.tables) && performance.now() < answer.until
      if (!isFresh) {
        drop(key, answer)
        return null
      }
      hits++
      // The last to go.
      kept.delete(key)
      kept.set(key, answer)
      return answer
    },
    begin(key, tables) {
      misses++
      const generation = changes.generationOf(tables)
      if (!wasAsked(key) || generation === null) return null
      const timed = tables.filter((table) => nextChanges[table] !== undefined)
      const calms = timed.map((table) => calmOf(table, nextChanges[table] as NextChange))
      return async (answer) => {
        if (answer.body.length > maxBodyBytes) return
        const until = Math.min(...(await Promise.all(calms.map((calm) => calm.until))))
        if (changes.generationOf(tables) !== generation || performance.now() >= until) return
        const before = kept.get(key)
        if (before !== undefined) drop(key, before)
        kept.set(key, { ...answer, tables, generation, until })
        bytes += sizeOf(key, answer)
        for (const [oldest, each] of kept) {
          if (bytes <= maxBytes) break
          drop(oldest, each)
        }
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
  }
}

/** Whether a key was asked for before; the older half of what is remembered is forgotten at once. */
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
