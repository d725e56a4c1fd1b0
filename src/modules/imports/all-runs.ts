import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { withCanOf } from '../../platform/access/rules.ts'
import { columnList } from '../../platform/database/columns.ts'
import { among, equals, flag } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId } from '../../platform/database/sort-order.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { idsQuery, listQuery, several, sortQuery } from '../../platform/http/listing/paging.ts'
import { Can, Id, named, nullable, oneOf, Timestamp, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { RunItem } from './run/schema.ts'
import { Run, Run as RunFields, runActions, runStatuses } from './schema.ts'

export const AllRunsQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['started_at'], 'started_at_desc'),
  ids: idsQuery,
  source_id: Type.Optional(Id('Runs of this import source')),
  status: several(oneOf(runStatuses), 'In one of these states, separated by commas'),
  dry_run: several(Type.Boolean(), 'Dry runs, or real ones'),
  held: Type.Optional(
    Type.Boolean({
      description: 'true: only runs whose new publications wait for a decision',
      examples: [true],
    }),
  ),
  since: Type.Optional(Timestamp('Started at this time or later')),
  until: Type.Optional(Timestamp('Started before this time')),
})
export type AllRunsQuery = Static<typeof AllRunsQuery>

/** A run with the name of its source. */
const ListedRun = titled('ImportRunListed', {
  ...RunFields.properties,
  source: named('ImportSourceName', 'Agenda de la médiathèque'),
  can: Can(runActions),
})
type SelectedRun = Omit<Static<typeof ListedRun>, 'can'>

export const ByRunId = Type.Object({ id: Id('Identifier of the run') })

const RunItemsQuery = Type.Object({
  ...listQuery,
  action: several(RunItem.properties.action, 'What they became, separated by commas'),
})
type RunItemsQuery = Static<typeof RunItemsQuery>

const StoredItem = titled('ImportRunStoredItem', {
  id: Id(),
  position: Type.Integer({ description: 'Its place among these items, from 0', examples: [0] }),
  ...RunItem.properties,
  publication_id: nullable(Id('The publication that it is or became')),
  publication: nullable(
    titled(
      'ImportedPublication',
      {
        id: Id(),
        title: Type.String({ examples: ['Heure du conte'] }),
        moderation_status: oneOf(['pending', 'approved', 'published', 'rejected'] as const),
        deleted: Type.Boolean({ examples: [false] }),
      },
      'As it is now; null once it is erased',
    ),
  ),
})
type StoredItem = Static<typeof StoredItem>

const withCan = withCanOf(runActions)

export function allRunsRoutes(scope: SignedInScope, { lists }: Deps): void {
  scope.get(
    '/admin/import-runs',
    {
      schema: {
        operationId: 'listAllImportRuns',
        summary: 'Runs of all import sources, dry ones too, newest first',
        querystring: AllRunsQuery,
        response: { 200: ListPage(ListedRun) },
      },
    },
    async ({ query }) => listPage(lists, allRunsList(query), query, (rows) => rows.map(withCan)),
  )

  scope.get(
    '/admin/import-runs/:id/items',
    {
      schema: {
        operationId: 'listImportRunItems',
        summary: 'What the items of a run became: the first 1 000 that did not simply stay the same',
        params: ByRunId,
        querystring: RunItemsQuery,
        response: { 200: ListPage(StoredItem) },
      },
    },
    async ({ params, query }) => {
      const [answer] = await Promise.all([
        listPage(lists, runItems, { ...query, run_id: params.id }),
        requireRun(lists, params.id),
      ])
      return answer
    },
  )
}

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
async function requireRun(db: Database, id: string): Promise<void> {
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
