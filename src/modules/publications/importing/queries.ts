import { type InsertObject, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import type * as tables from '../../../platform/database/types.generated.ts'
import { communeIds } from '../columns.ts'
import { namesIn } from '../fields.ts'
import { type StoredPublication, storedColumns } from '../queries.ts'
import { storedJours } from '../recurrence.ts'

export { readNow } from '../queries.ts'

type Row = InsertObject<tables.DB, 'publications'> & { id: string; commune_ids: string[] }

/** Inserts many publications with as many statements as for one. */
export async function insertPublications(tx: Database, rows: Row[]): Promise<StoredPublication[]> {
  if (rows.length === 0) return []
  const inserted = await unprepared(tx)
    .insertInto('publications')
    .values(rows.map(({ commune_ids, ...values }) => values))
    .returning(storedColumns)
    .$castTo<Omit<StoredPublication, 'commune_ids'>>()
    .execute()
  const communes = new Map(rows.map(({ id, commune_ids }) => [id, commune_ids]))
  const links = rows.flatMap(({ id, commune_ids }) => commune_ids.map((commune_id) => ({ id, commune_id })))
  await sql`
    insert into publication_communes (publication_id, commune_id)
    select id, commune_id from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as l (id uuid, commune_id uuid)`.execute(
    tx,
  )
  return inserted.map((row) => ({ ...row, commune_ids: communes.get(row.id) ?? [] }))
}

/** Returns these publications, deleted or not. */
export async function listPublications(db: Database, ids: string[]): Promise<StoredPublication[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('publications as p')
    .select([...storedColumns, communeIds.as('commune_ids')])
    .$castTo<StoredPublication>()
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Locks these publications until the transaction ends and returns them. Id order avoids deadlocks. */
export async function listPublicationsForUpdate(tx: Database, ids: string[]): Promise<StoredPublication[]> {
  if (ids.length === 0) return []
  await sql`
    select from publications where id = any(${ids}::uuid[]) order by id for no key update`.execute(tx)
  return listPublications(tx, ids)
}

const imported = sql.join(
  [...namesIn('imports'), ...['images', 'fetched_image', 'duplicate_key', 'en_avant', 'featured_until']].map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`v.${name}`)}`,
  ),
)

type Updated = { before: StoredPublication; after: StoredPublication }

/** Updates the imported fields of publications in one statement. The days of a series change with its first day alone. */
export async function updateImported(tx: Database, updated: Updated[]): Promise<void> {
  if (updated.length === 0) return
  const values = updated.map(({ before, after: { publie_le, deleted_at, ...row } }) => ({
    ...row,
    jours: row.date_debut === before.date_debut ? null : storedJours(row),
  }))
  await sql`
    update publications p set ${imported}, jours = coalesce(v.jours, p.jours)
    from jsonb_populate_recordset(null::publications, ${JSON.stringify(values)}::jsonb) v
    where p.id = v.id`.execute(tx)
}
