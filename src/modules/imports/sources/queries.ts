import { sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import { among, equals, flag } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import { beginsWord } from '../../../platform/database/search.ts'
import { byId } from '../../../platform/database/sort-order.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { List } from '../../../platform/http/listing/list.ts'
import { runJson } from '../history.ts'
import { runUnderWay } from '../queries.ts'
import { deleteItemsOf } from '../retention.ts'
import { type SelectedSource, storedSource } from '../schema.ts'
import type { SourcesQuery } from './schema.ts'

const answered = sql<SelectedSource>`${columnList(storedSource, 's')}, (
  select ${runJson} from import_runs r where r.source_id = s.id and not r.dry_run
  order by r.started_at desc, r.id desc limit 1) as last_run,
  ${runUnderWay(sql`s.id`)} as is_running,
  -- In the order of an index: a source may have no items, or all that there are.
  (select true from import_items i where i.source_id = s.id order by i.external_id limit 1) is true as has_items`

/** `search_text` is a space followed by the folded name. */
export const sourcesList: List<SourcesQuery, SelectedSource> = {
  name: 'import-sources',
  from: sql`import_sources s`,
  as: 's',
  picksIds: true,
  where: sql`deleted_at is null`,
  filters: {
    ids: among('id'),
    q: beginsWord,
    type: among('type'),
    actif: flag('actif'),
    acteur_id: equals('acteur_id'),
  },
  sorts: {
    created_at: [{ by: sql`created_at`, type: 'time' }, byId],
    nom: [{ by: sql`search_text`, type: 'text' }, byId],
  },
  defaults: { sort: 'created_at_desc' },
  columns: answered,
}

export async function getSource(db: Database, { id }: { id: string }): Promise<SelectedSource> {
  const { rows } = await sql<SelectedSource>`
    select ${answered} from import_sources s where s.id = ${id} and s.deleted_at is null`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Returns whether one of these jobs is queued or running for the source. */
export async function hasUnfinishedJob(db: Database, names: string[], sourceId: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from pgboss.job
      where name = any(${names}::text[]) and state < 'completed' and data ->> 'sourceId' = ${sourceId}) as found`.execute(
    db,
  )
  return rows[0]?.found ?? false
}

/** Deletes up to `limit` items and runs of a deleted source, finally the source; true if more may remain. */
export async function deleteBatch(db: Database, sourceId: string, limit: number): Promise<boolean> {
  const { numAffectedRows: items } = await sql`
    delete from import_items where source_id = ${sourceId} and external_id = any(array(
      select external_id from import_items where source_id = ${sourceId} limit ${limit}))`.execute(
    unprepared(db),
  )
  const { rows: runs } = await sql<{ id: string }>`
    select id from import_runs where source_id = ${sourceId} limit ${limit}`.execute(unprepared(db))
  const runIds = runs.map(({ id }) => id)
  await deleteItemsOf(db, runIds)
  await sql`delete from import_runs where id = any(${runIds}::uuid[])`.execute(db)
  if (Number(items) === limit || runIds.length === limit) return true
  await sql`delete from import_sources where id = ${sourceId} and deleted_at is not null`.execute(db)
  return false
}
