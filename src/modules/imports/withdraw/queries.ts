import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'

/** Selects the publications that a source imported within a period. */
export type Withdrawn = { sourceId: string; since: string | null; until: string }

const shown = ({ sourceId, since, until }: Withdrawn) => sql`
  import_items i join publications p on p.id = i.publication_id
  where i.source_id = ${sourceId} and p.deleted_at is null and p.moderation_status <> 'rejected'
    and p.created_at <= ${until}::timestamptz and p.created_at >= coalesce(${since}::timestamptz, '-infinity')`

export async function countWithdrawn(db: Database, withdrawn: Withdrawn): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${shown(withdrawn)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Lists the next publications after an item, ordered by item. */
export async function listWithdrawn(
  db: Database,
  withdrawn: Withdrawn,
  after: string,
  limit: number,
): Promise<{ external_id: string; id: string }[]> {
  const { rows } = await sql<{ external_id: string; id: string }>`
    select i.external_id, p.id from ${shown(withdrawn)} and i.external_id > ${after}
    order by i.external_id limit ${limit}`.execute(unprepared(db))
  return rows
}
