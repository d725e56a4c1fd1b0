import { sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { Run } from '../schema.ts'

/** A run is decided once and its counts are final: it has no version that changes. */
export type HeldRun = Run & { version: number }

const columns = columnList(Run.properties, 'r')

/** Locks a run until the transaction ends; 404 if its source was deleted. */
export async function getRunForUpdate(tx: Database, id: string): Promise<HeldRun> {
  const { rows } = await sql<HeldRun>`
    select ${columns}, 1 as version from import_runs r
    join import_sources s on s.id = r.source_id and s.deleted_at is null
    where r.id = ${id} for no key update of r`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export async function updateRun(
  tx: Database,
  id: string,
  { held_decision, held_decided_at }: Partial<HeldRun>,
): Promise<HeldRun> {
  const { rows } = await sql<HeldRun>`
    update import_runs r set held_decision = ${held_decision}, held_decided_at = ${held_decided_at}
    where r.id = ${id} returning ${columns}, 1 as version`.execute(tx)
  return rows[0] ?? raise(notFound())
}

/** The publications that a source imported from the beginning to the end of one run. */
export type OfRun = { sourceId: string; since: string; until: string }

/** A source has one run at a time, so the time tells which publications a run created. */
const held = ({ sourceId, since, until }: OfRun) => sql`
  import_items i join publications p on p.id = i.publication_id
  where i.source_id = ${sourceId} and p.deleted_at is null and p.moderation_status = 'pending'
    and p.created_at >= ${since}::timestamptz and p.created_at <= ${until}::timestamptz`

export async function countHeld(db: Database, ofRun: OfRun): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${held(ofRun)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Lists the next publications after an item, ordered by item. */
export async function listHeld(
  db: Database,
  ofRun: OfRun,
  after: string,
  limit: number,
): Promise<{ external_id: string; id: string }[]> {
  const { rows } = await sql<{ external_id: string; id: string }>`
    select i.external_id, p.id from ${held(ofRun)} and i.external_id > ${after}
    order by i.external_id limit ${limit}`.execute(unprepared(db))
  return rows
}
