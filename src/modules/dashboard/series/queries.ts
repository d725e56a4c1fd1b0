import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { DailyCounts } from '../../../platform/module.ts'

export type DayCount = { day: string; key: string; n: number }

/** Lists the stored counts since a day. */
export async function listKept(db: Database, since: string): Promise<DayCount[]> {
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
