import type { Deps } from '../../platform/module.ts'
import { countAll, waitingIn } from '../dashboard/counts.ts'
import type { News } from './hub.ts'
import { type Entry, findLastSeq, listEntries, mostEntries } from './queries.ts'
import { type Topic, topicsOf, watchedCounts } from './topics.ts'

/** How long a skipped number may still be committed: longer than any transaction. */
const lateMs = 60_000
const mostMissing = 1_000

/**
 * Reads changes from the audit log, whose entries are committed with the changes, and from a few counts. An
 * entry gets its number before its commit, so skipped numbers are read again.
 */
export function readingOf({ reads, config, modules }: Pick<Deps, 'reads' | 'config' | 'modules'>) {
  const waiting = waitingIn(modules).filter(({ key }) => watchedCounts.includes(key))
  const missing = new Map<number, number>()
  let last = 0
  let counts: Record<string, string> = {}

  const readCounts = async () => {
    const counted = await countAll({ reads, config }, waiting)
    return Object.fromEntries(Object.entries(counted).map(([key, count]) => [key, JSON.stringify(count)]))
  }

  /** Records skipped numbers; true if there are too many to read again. */
  function passOver(entries: Entry[]): boolean {
    for (const { seq } of entries) {
      if (missing.delete(seq) || seq <= last) continue
      for (let skipped = last + 1; skipped < seq && missing.size <= mostMissing; skipped++)
        missing.set(skipped, Date.now())
      last = seq
    }
    const isTooMany = missing.size > mostMissing
    for (const [seq, since] of missing) if (isTooMany || Date.now() - since > lateMs) missing.delete(seq)
    return isTooMany
  }

  return {
    async begin(): Promise<number> {
      missing.clear()
      ;[last, counts] = await Promise.all([findLastSeq(reads), readCounts()])
      return last
    },
    async read(): Promise<News> {
      const [entries, now] = await Promise.all([listEntries(reads, last, [...missing.keys()]), readCounts()])
      const topics = new Set<Topic>(entries.flatMap(topicsOf))
      for (const key of Object.keys(now)) if (now[key] !== counts[key]) topics.add(key as Topic)
      counts = now
      const isGap = passOver(entries) || entries.length >= mostEntries
      if (isGap) last = Math.max(last, await findLastSeq(reads))
      return { topics, last, isGap }
    },
  }
}
