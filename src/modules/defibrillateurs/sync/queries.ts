import { sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { byId } from '../../../platform/database/sort-order.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { List } from '../../../platform/http/listing/list.ts'
import type { WatchedRows } from '../../../platform/module.ts'
import type { SyncStatus } from '../schema.ts'
import { Sync } from './schema.ts'
import type { SyncFailed } from './sync-failed.ts'

export type NewSync = {
  communeId: string | null
  source: 'registre' | 'fichier'
  acceptFall: boolean
}

/** Inserts a sync; null when a conflicting one is queued or running. */
export async function insertSync(
  db: Database,
  { communeId, source, acceptFall }: NewSync,
): Promise<{ id: string; status: SyncStatus } | null> {
  const row = await db
    .insertInto('defibrillateur_syncs')
    .values({ id: uuidv7(), commune_id: communeId, source, accept_fall: acceptFall })
    // Names no constraint: otherwise two concurrent inserts would deadlock and one would get a 503.
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'status'])
    .$castTo<{ id: string; status: SyncStatus }>()
    .executeTakeFirst()
  return row ?? null
}

export const interrupted = 'It was interrupted.'
export type Target = { id: string; commune_id: string | null; accept_fall: boolean }

/** Marks the sync as running; null when it has already ended. */
export async function startSync(db: Database, id: string): Promise<Target | null> {
  const row = await db
    .updateTable('defibrillateur_syncs')
    .set({ status: 'running', started_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returning(['id', 'commune_id', 'accept_fall'])
    .executeTakeFirst()
  return row ?? null
}

/** Locks the running sync until the transaction ends; false if it was given up. Its progress may refer to it. */
export async function lockSync(db: Database, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('defibrillateur_syncs')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'running')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Stores how many rows a running sync has read. */
export async function storeProgress(db: Database, id: string, read: number): Promise<void> {
  await sql`
    insert into defibrillateur_sync_progress (sync_id, read)
    select id, ${read}::int from defibrillateur_syncs where id = ${id} and status = 'running'
    on conflict (sync_id) do update set read = excluded.read`.execute(db)
}

export async function endSync(
  db: Database,
  id: string,
  { failed, counts }: { failed: Pick<SyncFailed, 'message' | 'failure'> | null; counts: object },
): Promise<void> {
  await db
    .updateTable('defibrillateur_syncs')
    .set({
      status: failed === null ? 'succeeded' : 'failed',
      error: failed?.message ?? null,
      failure: failed && JSON.stringify(failed.failure),
      counts: JSON.stringify(counts),
      finished_at: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .execute()
}

/**
 * Ends syncs without a worker: an import from a file has no job that could resume it, and others lost their
 * job hours ago. Skips running syncs, which hold a row lock.
 */
export async function giveUpLostSyncs(db: Database): Promise<void> {
  await sql`
    update defibrillateur_syncs set status = 'failed', error = ${interrupted},
      failure = '{"code": "interrupted"}', finished_at = clock_timestamp()
    where id = any(array(
      select id from defibrillateur_syncs
      where status in ('queued', 'running')
        and (source = 'fichier' or coalesce(started_at, created_at) < now() - interval '3 hours')
      for update skip locked))`.execute(db)
}

/** Deletes ended syncs except a target's last fifty and last success. */
export async function forgetOldSyncs(db: Database, communeId: string | null): Promise<void> {
  await sql`
    with ended as (
      select id, row_number() over (order by id desc) as place,
        row_number() over (partition by status order by id desc) as place_of_status, status
      from defibrillateur_syncs
      where commune_id is not distinct from ${communeId}::uuid and status in ('succeeded', 'failed')
    )
    delete from defibrillateur_syncs using ended
    where defibrillateur_syncs.id = ended.id and place > 50 and not (ended.status = 'succeeded' and place_of_status = 1)
  `.execute(db)
}

/** Lists the codes under which the registry may know a commune: its own and those of communes it absorbed. */
export async function listCodes(db: Database, communeId: string): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select code_insee as code from communes where id = ${communeId}
    union select code_insee from commune_aliases where commune_id = ${communeId} order by code`.execute(db)
  return rows.map(({ code }) => code)
}

const { progress: _progress, ...stored } = Sync.properties

/** The syncs of a commune or of France, latest first. `progress` is null unless one runs and has begun to read. */
export const syncsOf = (communeId: string | null): List<object, Sync> => ({
  name: 'syncs',
  from: sql`defibrillateur_syncs s`,
  as: 's',
  where: communeId === null ? sql`commune_id is null` : sql`commune_id = ${communeId}`,
  filters: {},
  sorts: { id: [byId] },
  defaults: { sort: 'id_desc' },
  columns: sql<Sync>`${columnList(stored)}, (
    select jsonb_build_object('read', p.read, 'expected', (
      select (former.counts ->> 'read')::int from defibrillateur_syncs former
      where former.commune_id is not distinct from s.commune_id and former.status = 'succeeded'
      order by former.id desc limit 1))
    from defibrillateur_sync_progress p where p.sync_id = s.id and s.status = 'running') as progress`,
})

/** Open syncs and their progress. The end of a sync changes it too: the sync is no longer in it. */
export const syncsWatched: WatchedRows = {
  topics: ['defibrillateurs'],
  state: sql`
    select string_agg(concat_ws(' ', s.id, s.status, p.read), ',' order by s.id)
    from defibrillateur_syncs s left join defibrillateur_sync_progress p on p.sync_id = s.id
    where s.status in ('queued', 'running')`,
}
