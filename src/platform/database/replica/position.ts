import { sql } from 'kysely'
import type { Database } from '../connect.ts'

/** How far a clock is ahead of this machine's, and by how much that may be wrong. */
export type ClockReading = { aheadMs: number; uncertaintyMs: number }

/** A position in the write-ahead log (WAL). Positions of two histories cannot be compared. */
export type Position = { history: string; lsn: number }

/** The end of the WAL of the primary, and which database it is. */
export type PrimaryPosition = Position & { database: string; clock: ClockReading }

/** SQL for an identifier that is the same on a primary and its replicas, and on no other database. */
export const databaseId = `(select system_identifier from pg_control_system()) || '/' ||
  (select oid from pg_database where datname = current_database())`

export const clockMs = '(extract(epoch from clock_timestamp()) * 1000)::float8'

/**
 * Reads the position of the primary: it includes every change committed before the call. The first read on a new
 * timeline, or in another cluster, starts a new history.
 */
export async function readPosition(db: Database): Promise<PrimaryPosition> {
  const sentAt = performance.now()
  const { rows } = await sql<{ history: string | null; lsn: number; database: string; clock: number }>`
    with own as (
      select (select system_identifier from pg_control_system()) as system_identifier,
        left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline)
    select w.id as history, (pg_current_wal_insert_lsn() - '0/0')::bigint as lsn,
      ${sql.raw(databaseId)} as database, ${sql.raw(clockMs)} as clock
    from own left join wal_timeline w using (system_identifier, timeline)`.execute(db)
  const [row] = rows
  if (row === undefined || row.history === null) {
    await beginHistory(db)
    return readPosition(db)
  }
  return { ...row, history: row.history, clock: clockReading(row.clock, sentAt) }
}

/** Does nothing if another instance has begun it meanwhile. */
async function beginHistory(db: Database): Promise<void> {
  await sql`
    insert into wal_timeline as known (system_identifier, timeline)
    select system_identifier, left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) from pg_control_system()
    on conflict (is_only) do update
    set id = excluded.id, system_identifier = excluded.system_identifier, timeline = excluded.timeline
    where (known.system_identifier, known.timeline) <> (excluded.system_identifier, excluded.timeline)`.execute(
    db,
  )
}

/** Estimates a clock that was read at some moment since `sentAt`. */
export function clockReading(clock: number, sentAt: number): ClockReading {
  const now = performance.now()
  return { aheadMs: clock - (sentAt + now) / 2, uncertaintyMs: (now - sentAt) / 2 }
}
