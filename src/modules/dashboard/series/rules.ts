import type { Database } from '../../../platform/database/connect.ts'
import type { DailyCounts, Module } from '../../../platform/module.ts'
import { todayInParis } from '../../../platform/time/paris-time.ts'
import { countDays, keepCounts, listKept } from './queries.ts'
import { maxDays } from './schema.ts'

type Day = { day: string } & Record<string, number | string>

/** Merges the daily counts of all modules. */
export const dailyCountsOf = (modules: readonly Module[]): DailyCounts =>
  Object.assign({}, ...modules.map(({ daily }) => daily))

/**
 * Returns one row for each of the last days, oldest first. Past days come from the table; today, yesterday
 * and days that the job has not stored yet are counted now.
 */
export async function readSeries(
  db: Database,
  counts: DailyCounts,
  length: number,
  now: Date,
): Promise<Day[]> {
  const days = lastDays(now, length)
  const kept = await listKept(db, days[0] ?? '')
  const missing = daysMissing(counts, days, kept)
  const counted = missing.length === 0 ? [] : await countDays(db, counts, missing)
  const series = new Map(days.map((day): [string, Day] => [day, { day }]))
  for (const { day, key, n } of [...kept, ...counted]) {
    const row = series.get(day)
    if (row !== undefined) row[key] = n
  }
  return [...series.values()]
}

/**
 * Stores the missing counts of the days before yesterday. Excludes yesterday, because a decision of its last
 * minutes may still be undone.
 */
export async function keepPastDays(
  db: Database,
  counts: DailyCounts,
  now: Date,
  signal: AbortSignal,
): Promise<number> {
  const days = lastDays(now, maxDays).slice(0, -2)
  const missing = daysMissing(counts, days, await listKept(db, days[0] ?? '')).reverse()
  for (let done = 0; done < missing.length; done += batch) {
    signal.throwIfAborted()
    await keepCounts(db, await countDays(db, counts, missing.slice(done, done + batch)))
  }
  return missing.length
}

const batch = 7

/** Returns the last days in Paris, ending with today. */
function lastDays(now: Date, length: number): string[] {
  const today = Date.parse(`${todayInParis(now)}T00:00:00Z`)
  return Array.from({ length }, (_, index) =>
    new Date(today - (length - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  )
}

function daysMissing(
  counts: DailyCounts,
  days: readonly string[],
  kept: readonly { day: string; key: string }[],
) {
  const found = new Set(kept.map(({ day, key }) => `${day} ${key}`))
  const keys = Object.keys(counts)
  return days.filter((day) => keys.some((key) => !found.has(`${day} ${key}`)))
}
