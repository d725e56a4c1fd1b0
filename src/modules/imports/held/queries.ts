import { sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { Selection } from '../bulk-decisions.ts'
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
type OfRun = { sourceId: string; since: string; until: string }

/** A source has one run at a time, so the time tells which publications a run created. */
export const held = ({ sourceId, since, until }: OfRun): Selection => sql`
  import_items i join publications p on p.id = i.publication_id
  where i.source_id = ${sourceId} and p.deleted_at is null and p.moderation_status = 'pending'
    and p.created_at >= ${since}::timestamptz and p.created_at <= ${until}::timestamptz`
