import { sql } from 'kysely'
import type { ListedMailKind } from '../../platform/mail/row-mails.ts'
import type { Deps, Watched } from '../../platform/module.ts'
import { countAll, waitingIn } from '../dashboard/counts.ts'
import type { News } from './hub.ts'
import { type Entry, findLastSeq, listEntries, maxEntries, readStates } from './queries.ts'
import { type Topic, topicsOf, topicsOfMail, watchedCounts } from './topics.ts'

/** How long a skipped number may still be committed: longer than any transaction. */
const lateMs = 60_000
const maxMissing = 1_000
/** So many of the newest numbers may still be uncommitted when the first client subscribes. */
const recentEntries = 500

type State = { topics: readonly string[]; value: string | null }

/** Differs whenever a mail of this kind changes state: jobs do that without an audit entry. */
const mailWatched = ({ table, entity }: ListedMailKind): Watched => ({
  topics: topicsOfMail(entity),
  state: sql`
    select concat_ws(' ', count(*), max(email_status_at)) from ${sql.table(table)}
    where email_status in ('queued', 'sending', 'uncertain')`,
})

/**
 * Reads changes from the audit log, whose entries are committed with the changes, from a few counts, and from the
 * states of watched work. An entry gets its number before its commit, so skipped numbers are read again.
 */
export function readingOf({ reads, config, modules }: Pick<Deps, 'reads' | 'config' | 'modules'>) {
  const waiting = waitingIn(modules).filter(({ key }) => watchedCounts.includes(key))
  const watched = modules.flatMap(({ watched = [], mails = [] }) => [...watched, ...mails.map(mailWatched)])
  const missing = new Map<number, number>()
  let last = 0
  let states: State[] = []

  async function readAll(): Promise<State[]> {
    const [counted, values] = await Promise.all([
      countAll({ reads, config }, waiting),
      readStates(reads, watched),
    ])
    const counts = Object.entries(counted).map(([key, count]) => ({
      topics: [key],
      value: JSON.stringify(count),
    }))
    return [...counts, ...watched.map(({ topics }, index) => ({ topics, value: values[index] ?? null }))]
  }

  /** Records skipped numbers; true if there are too many to read again. */
  function passOver(entries: Entry[]): boolean {
    for (const { seq } of entries) {
      if (missing.delete(seq) || seq <= last) continue
      for (let skipped = last + 1; skipped < seq && missing.size <= maxMissing; skipped++)
        missing.set(skipped, Date.now())
      last = seq
    }
    const isTooMany = missing.size > maxMissing
    for (const [seq, since] of missing) if (isTooMany || Date.now() - since > lateMs) missing.delete(seq)
    return isTooMany
  }

  return {
    async begin(): Promise<number> {
      missing.clear()
      const [newest, now] = await Promise.all([findLastSeq(reads), readAll()])
      states = now
      // Changes under way have got their numbers already.
      last = Math.max(0, newest - recentEntries)
      const recent = await listEntries(reads, last, [])
      passOver(recent.filter(({ seq }) => seq <= newest))
      return newest
    },
    async read(): Promise<News> {
      const [entries, now] = await Promise.all([listEntries(reads, last, [...missing.keys()]), readAll()])
      const topics = new Set<Topic>(entries.flatMap(topicsOf))
      for (const [index, state] of now.entries())
        if (state.value !== states[index]?.value) for (const topic of state.topics) topics.add(topic as Topic)
      states = now
      const isGap = passOver(entries) || entries.length >= maxEntries
      if (isGap) last = Math.max(last, await findLastSeq(reads))
      return { topics, last, isGap }
    },
  }
}
