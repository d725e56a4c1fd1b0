import { sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import { among, equals, flag } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { byId } from '../../../platform/database/sort-order.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { List } from '../../../platform/http/listing/list.ts'
import { Run } from '../schema.ts'
import type { AllRunsQuery, RunItemsQuery, SelectedRun, StoredItem } from './schema.ts'

const waits = sql`(held > 0 and held_decision is null and not dry_run and finished_at is not null)`

/** The runs of all sources that are not deleted. */
export const allRunsList = ({ source_id }: AllRunsQuery): List<AllRunsQuery, SelectedRun> => ({
  name: 'all-import-runs',
  from: sql`import_runs`,
  as: 'import_runs',
  where: sql`not exists (
    select from import_sources d where d.id = ${source_id ?? sql`source_id`} and d.deleted_at is not null)`,
  filters: {
    ids: among('id'),
    source_id: equals('source_id'),
    status: among('status'),
    dry_run: flag('dry_run'),
    held: (held) => (held ? waits : sql`not ${waits}`),
    since: (since) => sql`started_at >= ${since}::timestamptz`,
    until: (until) => sql`started_at < ${until}::timestamptz`,
  },
  sorts: { started_at: [{ by: sql`started_at`, type: 'time' }, byId] },
  defaults: { sort: 'started_at_desc' },
  columns: sql<SelectedRun>`${columnList(Run.properties)}, (
    select json_build_object('id', s.id, 'nom', s.nom) from import_sources s where s.id = source_id) as source`,
})

/** Throws a 404 if there is no such run, or if its source was deleted. */
export async function requireRun(db: Database, id: string): Promise<void> {
  const { rows } = await sql`
    select from import_runs r join import_sources s on s.id = r.source_id and s.deleted_at is null
    where r.id = ${id}`.execute(db)
  if (rows.length === 0) raise(notFound())
}

/** The stored items of a run in the order of the source, with their publications as they are now. */
export const runItems: List<RunItemsQuery & { run_id: string }, StoredItem> = {
  name: 'import-run-items',
  from: sql`import_run_items i`,
  as: 'i',
  filters: { run_id: equals('run_id'), action: among('action') },
  sorts: { position: [{ by: sql`position`, type: 'number' }] },
  defaults: { sort: 'position_asc' },
  columns: sql<StoredItem>`i.id, position, external_id, i.title, action, reason, publication_id, (
    select json_build_object('id', p.id, 'title', p.title, 'moderation_status', p.moderation_status,
      'deleted', p.deleted_at is not null)
    from publications p where p.id = i.publication_id) as publication`,
}
