import { type RawBuilder, sql } from 'kysely'
import Type, { type Static, type TSchema } from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { DateOnly, titled } from '../../platform/http/validation/schemas.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import type { DailyCounts, Deps, Module } from '../../platform/module.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'

/** Limit on the days of a series. */
const maxDays = 365
const defaultDays = 30

export const SeriesQuery = Type.Object({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxDays,
      description: `How many days, today included. Default: ${defaultDays}`,
      examples: [7],
    }),
  ),
})
export type SeriesQuery = Static<typeof SeriesQuery>
export const daysOf = ({ days = defaultDays }: SeriesQuery): number => days

/** The counts of one day, by module. */
export function dayOf(counts: DailyCounts) {
  const fields: Record<string, TSchema> = { day: DateOnly('A day in Europe/Paris') }
  for (const [key, { description }] of Object.entries(counts))
    fields[key] = Type.Integer({ description, examples: [12] })
  return titled('DashboardDay', fields)
}

type Day = { day: string } & Record<string, number | string>

/** Merges the daily counts of all modules. */
export const dailyCountsOf = (modules: readonly Module[]): DailyCounts =>
  Object.assign({}, ...modules.map(({ office }) => office?.daily))

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

const keepDays = defineJob('dashboard.keep-days', Type.Object({}))

export function keepDaysHandler({
  db,
  log,
  clock,
  modules,
}: Pick<Deps, 'db' | 'log' | 'clock' | 'modules'>): Handler {
  return handle(keepDays, async (_payload, { signal }) => {
    const kept = await keepPastDays(db, dailyCountsOf(modules), clock(), signal)
    if (kept > 0) log.info({ kept }, 'days counted for the dashboard')
  })
}

/** Runs hourly, so that a new installation soon has a year of counts. */
export const keepDaysSchedule: Schedule = schedule(keepDays, '12 * * * *', {})

type DayCount = { day: string; key: string; n: number }

/** Lists the stored counts since a day. */
async function listKept(db: Database, since: string): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    select to_char(day, 'YYYY-MM-DD') as day, key, n from daily_counts where day >= ${since}::date`.execute(
    db,
  )
  return rows
}

/** Counts each of these days, midnight to midnight in Paris; one index range scan per day and count. */
export async function countDays(
  db: Database,
  counts: DailyCounts,
  days: readonly string[],
): Promise<DayCount[]> {
  const each = Object.entries(counts).map(
    ([key, { count }]) => sql`
      select d.day, ${key}::text as key, (${count(since, until)})::int as n from days d`,
  )
  const { rows } = await sql<DayCount>`
    with days as (
      select day, day::timestamp at time zone 'Europe/Paris' as since,
        (day + 1)::timestamp at time zone 'Europe/Paris' as until
      from unnest(${days}::date[]) day)
    select to_char(day, 'YYYY-MM-DD') as day, key, n from (${sql.join(each, sql` union all `)}) counted`.execute(
    db,
  )
  return rows
}

const since: RawBuilder<Date> = sql`d.since`
const until: RawBuilder<Date> = sql`d.until`

/** Stores counts. A count that another instance has stored stays as it is. */
export async function keepCounts(db: Database, counted: readonly DayCount[]): Promise<void> {
  await sql`
    insert into daily_counts (day, key, n)
    select day, key, n from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb) as c (day date, key text, n int)
    on conflict on constraint daily_counts_pkey do nothing`.execute(db)
}
