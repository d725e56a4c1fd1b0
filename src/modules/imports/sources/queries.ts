import { type RawBuilder, sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import { allOf, among, flag } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { beginsWord } from '../../../platform/database/search.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { runJson } from '../history/queries.ts'
import { type ImportSource, storedSource } from '../schema.ts'
import type { SourcesQuery } from './schema.ts'

const answered = sql`${columnList(storedSource, 's')}, (
  select ${runJson} from import_runs r where r.source_id = s.id and not r.dry_run
  order by r.started_at desc, r.id desc limit 1) as last_run`

/** The last run is looked up for the rows of the page alone. */
export async function listSources(
  db: Database,
  query: SourcesQuery,
  { limit, offset }: Paging,
): Promise<ImportSource[]> {
  const order = orders[query.sort ?? 'created_at_desc']
  const { rows } = await sql<ImportSource>`
    select ${answered} from import_sources s where s.id in (
      select id from import_sources where ${matching(query)} order by ${order} limit ${limit} offset ${offset})
    order by ${order}`.execute(db)
  return rows
}

export async function countSources(db: Database, query: SourcesQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from import_sources where ${matching(query)}`.execute(db)
  return rows[0]?.total ?? 0
}

export async function getSource(db: Database, { id }: { id: string }): Promise<ImportSource> {
  const { rows } = await sql<ImportSource>`
    select ${answered} from import_sources s where s.id = ${id} and s.deleted_at is null`.execute(db)
  return rows[0] ?? raise(notFound())
}

function matching({ ids, q, type, actif, acteur_id }: SourcesQuery) {
  return allOf(
    sql`deleted_at is null`,
    among('id', ids),
    q !== undefined && beginsWord(q),
    among('type', type),
    flag('actif', actif),
    acteur_id !== undefined && sql`acteur_id = ${acteur_id}`,
  )
}

/** The search text is a space and the name as it is compared. */
const orders: Record<NonNullable<SourcesQuery['sort']>, RawBuilder<unknown>> = {
  created_at_desc: sql`id desc`,
  created_at_asc: sql`id`,
  nom_desc: sql`search_text desc, id desc`,
  nom_asc: sql`search_text, id`,
}

/** Some of what hangs on a source that is deleted, and in the end the source; answers whether there is more. */
export async function clearSome(db: Database, sourceId: string, limit: number): Promise<boolean> {
  const { numAffectedRows: items } = await sql`
    delete from import_items where source_id = ${sourceId} and external_id = any(array(
      select external_id from import_items where source_id = ${sourceId} limit ${limit}))`.execute(db)
  const { numAffectedRows: runs } = await sql`
    delete from import_runs where id = any(array(
      select id from import_runs where source_id = ${sourceId} limit ${limit}))`.execute(db)
  if (Number(items) === limit || Number(runs) === limit) return true
  await sql`delete from import_sources where id = ${sourceId} and deleted_at is not null`.execute(db)
  return false
}
