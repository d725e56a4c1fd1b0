import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import { raise } from '../../../platform/errors.ts'
import type { Position } from '../../../platform/http/listing/cursor.ts'
import { daysKept, type PublicationChange } from './schema.ts'

/** Times of the feed in one text format, so that they compare as strings. */
export type Span = {
  /** The `since` of the request; null without one. */
  since: string | null
  /** The time from which changes are kept. */
  oldest: string
  /** The time up to which the feed is complete. */
  horizon: string
  yesterday: string
  thisHour: string
}

/** Limit on changes scanned for one response, even if a restricted application sees few of them. */
const maxScanned = 5_000

export async function readSpan(db: Database, since: string | null): Promise<Span> {
  const { rows } = await sql<Span>`
    select ${written(sql`${since}::timestamptz`)} as since,
      ${written(sql`horizon - make_interval(days => ${daysKept}::int)`)} as oldest,
      ${written(sql`horizon`)} as horizon,
      ${written(sql`horizon - interval '1 day'`)} as yesterday,
      ${written(sql`date_trunc('hour', horizon)`)} as "thisHour"
    from publication_changes_horizon() as horizon`.execute(db)
  return rows[0] ?? raise(new Error('no horizon'))
}

type Row = PublicationChange & { position_at: string; position_id: string }

/**
 * Lists the changes after a position and before the horizon, for an application that shows these communes
 * (null: all). A publication that enters or leaves these communes is `published` or `gone`.
 */
export async function listChanges(
  db: Database,
  { from, horizon, communeIds }: { from: Position; horizon: string; communeIds: string[] | null },
  limit: number,
): Promise<Row[]> {
  const seen = (communes: RawBuilder<unknown>) =>
    communeIds === null
      ? sql`${communes} is not null`
      : sql`coalesce(${communes} && ${communeIds}::uuid[], false)`
  const { rows } = await sql<Row>`
    select publication_id as id, at, ${written(sql`at`)} as position_at, id::text as position_id,
      case when not was then 'published' when not becomes then 'gone' else 'changed' end as change
    from (
      select *, ${seen(sql`communes_before`)} as was, ${seen(sql`communes_after`)} as becomes
      from (${scanned(from, horizon)} limit ${maxScanned}) scanned) changes
    where was or becomes
    order by changes.at, changes.id limit ${limit}`.execute(db)
  return rows
}

/** Finds the last change that one response scans; null if fewer changes remain. */
export async function findLastScanned(
  db: Database,
  from: Position,
  horizon: string,
): Promise<Position | null> {
  const { rows } = await sql<Position>`
    select ${written(sql`at`)} as at, id::text as id from (${scanned(from, horizon)}
      offset ${maxScanned - 1} limit 1) last`.execute(db)
  return rows[0] ?? null
}

const scanned = ({ at, id }: Position, horizon: string) => sql`
  select * from publication_changes
  where (at, id) > (${at}::timestamptz, ${id}::bigint) and at < ${horizon}::timestamptz
  order by at, id`

const written = (time: RawBuilder<unknown>) =>
  sql<string>`to_char((${time}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Deletes changes past their retention, oldest first; returns how many. */
export async function deleteOldChanges(db: Database, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from publication_changes where id = any(array(
      select id from publication_changes where at < now() - make_interval(days => ${daysKept}::int)
      order by at, id limit ${limit}))`.execute(unprepared(db))
  return Number(numAffectedRows)
}
