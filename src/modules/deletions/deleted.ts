import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { always } from '../../platform/access/rules.ts'
import { columnList } from '../../platform/database/columns.ts'
import { among, equals } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { adminPerPage, listQuery, pagingQuery, sortQuery } from '../../platform/http/listing/paging.ts'
import {
  Can,
  Id,
  oneOf,
  ResponseTimestamp,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'

export const deletedKinds = ['alerte', 'collecte', 'elu', 'info', 'page'] as const
type DeletedKind = (typeof deletedKinds)[number]

/** How long what was deleted can be restored. */
export const restorableDays = 30

/** Condition that a time of deletion is recent enough for a restore. */
export const isRecent = (deletedAt: string) =>
  sql<boolean>`${sql.ref(deletedAt)} > now() - make_interval(days => ${sql.lit(restorableDays)})`

export const deletedActions = { restore: always }

export const DeletedRecord = titled('DeletedRecord', {
  id: Id(),
  kind: oneOf(deletedKinds),
  label: Type.String({ description: 'What people recognise it by', examples: ['Bac jaune'] }),
  detail: textOrNull('Secteur Centre', 'What else it says'),
  deleted_at: ResponseTimestamp(),
  erased_at: ResponseTimestamp('When it is erased for good'),
  can: Can(deletedActions),
})
/** A deleted record as it is read, before `can` is added. */
type Listed = Omit<Static<typeof DeletedRecord>, 'can'>

export const DeletedQuery = Type.Object(pagingQuery(adminPerPage))
/** Of a list of the back-office. */
export const ManagedDeletedQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['deleted_at'], 'deleted_at_desc'),
})

/** The commune or the mairie that a deleted record belongs to. */
export type DeletedOwner = { commune_id: string } | { acteur_id: string }
type Filters = { kind: DeletedKind[]; commune_id?: string; acteur_id?: string }

/** What was deleted of an owner and can be restored, the latest first. */
export const deletedList: List<Filters, Listed> = {
  name: 'deleted-records',
  from: sql`deleted_records d`,
  as: 'd',
  where: isRecent('d.deleted_at'),
  filters: { kind: among('d.kind'), commune_id: equals('d.commune_id'), acteur_id: equals('d.acteur_id') },
  sorts: {
    deleted_at: [
      { by: sql`d.deleted_at`, type: 'time' },
      { by: sql`d.id`, type: 'id' },
    ],
  },
  defaults: { sort: 'deleted_at_desc' },
  columns: sql<Listed>`${columnList(['id', 'kind', 'label', 'detail', 'deleted_at'], 'd')},
    d.deleted_at + make_interval(days => ${sql.lit(restorableDays)}) as erased_at`,
}

type Kept = { id: string; kind: DeletedKind; label: string; detail: string | null; content: object }

/** Keeps records that are deleted in this transaction. */
export async function keepDeleted(tx: Database, owner: DeletedOwner, records: Kept[]): Promise<void> {
  if (records.length === 0) return
  await unprepared(tx)
    .insertInto('deleted_records')
    .values(records.map(({ content, ...one }) => ({ ...one, ...owner, content: JSON.stringify(content) })))
    .execute()
}

/**
 * Takes a deleted record of this owner back; 404 if there is none, or it is to be erased. Of two who restore it, or one and the
 * sweep, the second finds none. An owner of null: any.
 */
export async function takeDeleted<Content>(
  tx: Database,
  id: string,
  kinds: readonly DeletedKind[],
  owner: DeletedOwner | null,
): Promise<{ kind: DeletedKind; content: Content }> {
  const isTheirs =
    owner === null
      ? sql`true`
      : 'commune_id' in owner
        ? sql`commune_id = ${owner.commune_id}`
        : sql`acteur_id = ${owner.acteur_id}`
  const { rows } = await sql<{ kind: DeletedKind; content: Content }>`
    delete from deleted_records
    where id = ${id} and kind = any(${kinds}::text[]) and ${isTheirs} and ${isRecent('deleted_at')}
    returning kind, content`.execute(tx)
  return rows[0] ?? raise(notFound())
}

/** Removes what is kept of records that are there again by another way than a restore. */
export async function forgetDeleted(tx: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from deleted_records where id = any(${ids}::uuid[])`.execute(tx)
}
