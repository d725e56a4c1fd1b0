import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import { columnsOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { type Mapping, type SourceType, storedSource } from './schema.ts'

const columns = [...columnsOf(storedSource), 'next_run_at', 'etag', 'last_modified'] as const

/** A source with the state that its runs store on it. */
export type SourceRow = Omit<
  Selectable<tables.ImportSources>,
  'search_text' | 'deleted_at' | 'mapping' | 'type' | 'moderation_status'
> & {
  type: SourceType
  moderation_status: 'published' | 'pending'
  mapping: Mapping | null
}

/** Locks a source until the transaction ends, so that no run starts; undefined if it was deleted. */
export async function findSourceForUpdate(tx: Database, id: string): Promise<SourceRow | undefined> {
  return tx
    .selectFrom('import_sources')
    .select(columns)
    .$castTo<SourceRow>()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export const getSourceForUpdate = async (tx: Database, id: string): Promise<SourceRow> =>
  (await findSourceForUpdate(tx, id)) ?? raise(notFound())

export async function insertSource(
  tx: Database,
  { mapping, ...values }: Omit<Insertable<tables.ImportSources>, 'mapping'> & { mapping: Mapping | null },
): Promise<SourceRow> {
  return tx
    .insertInto('import_sources')
    .values({ ...values, mapping: mapping && JSON.stringify(mapping) })
    .returning(columns)
    .$castTo<SourceRow>()
    .executeTakeFirstOrThrow()
}

export type SourceChange = Partial<SourceRow> & { deleted_at?: Date }

export async function updateSource(
  tx: Database,
  id: string,
  { mapping, ...values }: SourceChange,
): Promise<SourceRow> {
  return tx
    .updateTable('import_sources')
    .set({ ...values, ...(mapping !== undefined && { mapping: mapping && JSON.stringify(mapping) }) })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<SourceRow>()
    .executeTakeFirstOrThrow()
}

/** True if a run of this source is queued or running, including dry runs. */
export const runUnderWay = (sourceId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from import_runs where source_id = ${sourceId} and status in ('queued', 'running'))`

export async function hasRunUnderWay(tx: Database, sourceId: string): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`select ${runUnderWay(sql`${sourceId}`)} as holds`.execute(tx)
  return rows[0]?.holds === true
}
