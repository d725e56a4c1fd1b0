import { sql } from 'kysely'
import type { Database } from '../connect.ts'

/** A position in the write-ahead log (WAL). Positions of two histories cannot be compared. */
export type Position = { history: string; lsn: number }

/**
 * Reads the position of the primary: it includes every change committed before the call. The first read on a new
 * timeline, or in another cluster, starts a new history.
 */
export async function readPosition(db: Database): Promise<Position> {
  const { rows } = await sql<{ history: string | null; lsn: number }>`
    with own as (
      select (select system_identifier from pg_control_system()) as system_identifier,
        left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) as timeline)
    select w.id as history, (pg_current_wal_insert_lsn() - '0/0')::bigint as lsn
    from own left join wal_timeline w using (system_identifier, timeline)`.execute(db)
  const [row] = rows
  if (row === undefined || row.history === null) {
    await beginHistory(db)
    return readPosition(db)
  }
  return { history: row.history, lsn: row.lsn }
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
