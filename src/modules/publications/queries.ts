import { isDeepStrictEqual } from 'node:util'
import { type InsertObject, type Selectable, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { deferred } from '../../platform/database/pools/prepared.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { isRecent } from '../deletions/deleted.ts'
import { communeIds, managedColumns, publicationTables } from './columns.ts'
import { contentNames } from './fields.ts'
import { listedColumns, type OfficeFields } from './office.ts'

import { type Recurrence, storedJours } from './recurrence.ts'
import type { Lieu, ManagedPublication, ModerationStatus } from './schema.ts'
import { visible } from './visibility.ts'

/** Columns of a publication that change or that permissions depend on. */
export const storedColumns = [
  'id',
  'version',
  ...contentNames,
  'fetched_image',
  'duplicate_key',
  'acteur_id',
  'commune_id',
  'epingle',
  'moderation_status',
  'moderation_reason',
  'resubmitted',
  'decided_centrally',
  'valide',
  'publie_le',
  'en_avant',
  'featured_until',
  'deleted_at',
  'withdrawn_at',
] as const
export type StoredPublication = Pick<Selectable<tables.Publications>, (typeof storedColumns)[number]> & {
  moderation_status: ModerationStatus
  lieu: Lieu | null
  recurrence: Recurrence | null
  commune_ids: string[]
}

/** Returns a publication in any state, also deleted, with managed fields. */
export async function getManagedPublication(
  db: Database,
  { id }: { id: string },
): Promise<ManagedPublication> {
  const { rows } = await sql<ManagedPublication>`
    select ${managedColumns} from ${publicationTables} where p.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

type OfficePublication = OfficeFields & { duplicate_group: string | null; rejected_at: Date | null }

/** Returns a publication in any state, with all fields of the back-office and its group of suspected duplicates. */
export async function getOfficePublication(db: Database, id: string): Promise<OfficePublication> {
  const { rows } = await sql<OfficePublication>`
    select ${listedColumns}, case when p.deleted_at is null then (
      select g.duplicate_key from duplicate_groups g where g.duplicate_key = p.duplicate_key) end as duplicate_group,
      case when p.resubmitted and p.moderation_status = 'pending' then (
        select l.at from audit_log l
        where l.entity_id = p.id::text and l.entity = 'publication' and l.after->>'moderation_status' = 'rejected'
        order by l.at desc limit 1) end as rejected_at
    from ${publicationTables} where p.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Condition that members deleted `publications p`, recently enough to restore it. */
export const restorable = sql<boolean>`(p.withdrawn_at = p.deleted_at and ${isRecent('p.deleted_at')})`

export async function isRestorable(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql`select from publications p where p.id = ${id} and ${restorable}`.execute(db)
  return rows.length > 0
}

export async function isActeurDeleted(db: Database, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('acteurs')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** True if the public sees a publication. */
export async function isVisible(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from publications p left join acteurs a on a.id = p.acteur_id
    where p.id = ${id} and ${visible}`.execute(db)
  return rows.length > 0
}

/** Locks a publication, deleted or not, until the transaction ends. */
export async function getPublicationForUpdate(tx: Database, id: string): Promise<StoredPublication> {
  // Locks first, then reads, to see changes committed while waiting, communes included.
  await sql`select from publications where id = ${id} for no key update`.execute(deferred(tx))
  const row = await tx
    .selectFrom('publications as p')
    .select([...storedColumns, communeIds.as('commune_ids')])
    .$castTo<StoredPublication>()
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? raise(notFound())
}

/** Returns the time of the database, as visibility uses it, in stored precision. Call it under the lock. */
export async function readNow(db: Database): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`
    select date_trunc('milliseconds', clock_timestamp()) as now`.execute(db)
  return rows[0]?.now ?? raise(new Error('no time'))
}

type NewRow = Omit<InsertObject<tables.DB, 'publications'>, 'recurrence' | 'date_debut'> &
  Pick<StoredPublication, 'id' | 'commune_ids' | 'recurrence' | 'date_debut'>

/**
 * Inserts a publication with its communes in one statement, which also creates its list rows. The database chooses
 * another slug if this one is taken; a concurrent insert that takes it is found by the second attempt.
 */
export async function insertPublication(
  tx: Database,
  { commune_ids, ...values }: NewRow,
): Promise<StoredPublication> {
  const insert = tx
    .with('inserted', (db) =>
      db
        .insertInto('publications')
        .values({ ...values, jours: storedJours(values) })
        .onConflict((conflict) => conflict.column('slug').doNothing())
        .returning(storedColumns),
    )
    .with('attached', (db) =>
      db
        .insertInto('publication_communes')
        .columns(['publication_id', 'commune_id'])
        .expression(sql`select id, unnest(${commune_ids}::uuid[]) from inserted`),
    )
    .selectFrom('inserted')
    .selectAll()
    .$castTo<Omit<StoredPublication, 'commune_ids'>>()
  const row = (await insert.executeTakeFirst()) ?? (await insert.executeTakeFirstOrThrow())
  return { ...row, commune_ids }
}

/** Updates a publication. Increments its version even if only its communes changed. */
export async function updatePublication(
  tx: Database,
  before: StoredPublication,
  { commune_ids = before.commune_ids, ...values }: Partial<StoredPublication>,
): Promise<StoredPublication> {
  if (!isDeepStrictEqual(commune_ids, before.commune_ids)) await replaceCommunes(tx, before.id, commune_ids)
  const row = await tx
    .updateTable('publications')
    .set({ ...values, ...joursAfter(before, values), version: sql`version + 1` })
    .where('id', '=', before.id)
    .returning(storedColumns)
    .$castTo<Omit<StoredPublication, 'commune_ids'>>()
    .executeTakeFirstOrThrow()
  return { ...row, commune_ids }
}

/** The days of a series, which other changes leave as they are: a former version may have stored a rule that is refused now. */
const joursAfter = (before: StoredPublication, values: Partial<StoredPublication>) =>
  ('recurrence' in values || 'date_debut' in values) && { jours: storedJours({ ...before, ...values }) }

async function replaceCommunes(tx: Database, id: string, communeIds: string[]): Promise<void> {
  await sql`
    delete from publication_communes
    where publication_id = ${id} and commune_id <> all(${communeIds}::uuid[])`.execute(tx)
  await sql`
    insert into publication_communes (publication_id, commune_id)
    select ${id}::uuid, commune_id from unnest(${communeIds}::uuid[]) commune_id
    on conflict do nothing`.execute(tx)
}
