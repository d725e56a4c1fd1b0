import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/connect.ts'

/** The acteur that answers for this one: itself, or the one it was merged into. */
export const answeringActeur = (id: string): RawBuilder<string> =>
  sql<string>`(select coalesce(merged_into, id) from acteurs where id = ${id})`

/** Of these acteurs, those that were merged, with the ones they were merged into. */
export async function mapMerged(db: Database, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; merged_into: string }>`
    select id, merged_into from acteurs where id = any(${ids}::uuid[]) and merged_into is not null`.execute(
    db,
  )
  return new Map(rows.map(({ id, merged_into }) => [id, merged_into]))
}
