import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { prepared } from '../../../platform/database/pools/prepared.ts'
import { type ActeurRecord, recordedPublications } from './schema.ts'

/** Bounds the memory of an export. */
const maxInMemo = 50_000

/**
 * Adds to each publication the record of its acteur: the outcome of its newest ones in the last year. Reads the
 * records that are not in `memo`.
 */
export async function withRecords<Row extends { acteur_id: string | null }>(
  db: Database,
  rows: Row[],
  memo = new Map<string, unknown>(),
): Promise<(Row & { record: ActeurRecord | null })[]> {
  if (memo.size > maxInMemo) memo.clear()
  const ids = new Set(rows.flatMap(({ acteur_id }) => (memo.has(acteur_id ?? '') ? [] : (acteur_id ?? []))))
  const records = await mapRecords(db, [...ids])
  for (const id of ids) memo.set(id, records.get(id) ?? null)
  return rows.map((row) => ({
    ...row,
    record: (memo.get(row.acteur_id ?? '') as ActeurRecord | undefined) ?? null,
  }))
}

async function mapRecords(db: Database, acteurIds: string[]): Promise<Map<string, ActeurRecord>> {
  if (acteurIds.length === 0) return new Map()
  const { rows } = await sql<ActeurRecord & { id: string }>`
    select acteur.id,
      count(*) filter (where p.moderation_status in ('approved', 'published') and p.deleted_at is null)::int as published,
      count(*) filter (where p.moderation_status = 'rejected')::int as rejected,
      count(*) filter (where exists (
        select from publication_reports r where r.publication_id = p.id))::int as reported
    from unnest(${acteurIds}::uuid[]) acteur (id)
    cross join lateral (
      select p.id, p.moderation_status, p.deleted_at from publications p
      where p.acteur_id = acteur.id and p.created_at > now() - interval '1 year'
      order by p.created_at desc, p.id desc limit ${sql.lit(recordedPublications)}) p
    group by acteur.id`.execute(prepared(db))
  return new Map(rows.map(({ id, ...record }) => [id, record]))
}
