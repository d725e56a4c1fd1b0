import { type Insertable, sql } from 'kysely'
import { columnList, columnsOf } from '../../../platform/database/columns.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import type * as tables from '../../../platform/database/types.generated.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { isOverdue } from '../../claims/queries.ts'
import {
  type CommuneRow,
  type Counts,
  Mairie,
  managedColumns,
  type StoredCommune,
  storedColumns,
} from './schema.ts'

const columns = columnsOf(managedColumns)

export async function getCommune(db: Database, id: string): Promise<CommuneRow> {
  const row = await db.selectFrom('communes').select(columns).where('id', '=', id).executeTakeFirst()
  return row ?? raise(notFound())
}

export async function getCommuneForUpdate(db: Database, id: string): Promise<StoredCommune> {
  const row = await db
    .selectFrom('communes')
    .select(storedColumns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? raise(notFound())
}

/** Inserts a commune; undefined if its slug is taken or inserted concurrently. */
export function insertCommune(
  db: Database,
  values: Insertable<tables.Communes>,
): Promise<StoredCommune | undefined> {
  return db
    .insertInto('communes')
    .values(values)
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning(storedColumns)
    .executeTakeFirst()
}

export async function hasInseeCode(db: Database, code: string): Promise<boolean> {
  const found = await db.selectFrom('communes').select('id').where('code_insee', '=', code).executeTakeFirst()
  return found !== undefined
}

/** Updates the commune. Increments the version even without fields, because a sub-list changed. */
export async function updateCommune(
  db: Database,
  id: string,
  values: Partial<StoredCommune>,
): Promise<StoredCommune> {
  return db
    .updateTable('communes')
    .set({ ...values, version: sql`version + 1` })
    .where('id', '=', id)
    .returning(storedColumns)
    .executeTakeFirstOrThrow()
}

/** True if the code is that of a former commune, which resolves to the present one. */
export async function isAlias(db: Database, codeInsee: string): Promise<boolean> {
  const row = await db
    .selectFrom('commune_aliases')
    .select('code_insee')
    .where('code_insee', '=', codeInsee)
    .executeTakeFirst()
  return row !== undefined
}

export async function findRegionOf(db: Database, departement: string): Promise<string | null> {
  const row = await db
    .selectFrom('communes')
    .select('region')
    .where('departement', '=', departement)
    .limit(1)
    .executeTakeFirst()
  return row?.region ?? null
}

export async function replaceRows(
  db: Database,
  table: 'elus' | 'collectes' | 'commune_infos',
  communeId: string,
  rows: object[],
): Promise<void> {
  await db.deleteFrom(table).where('commune_id', '=', communeId).execute()
  if (rows.length === 0) return
  // Cast is safe: the rows were validated against this table's schema.
  const values = rows.map((row) => ({ ...row, commune_id: communeId }))
  await unprepared(db)
    .insertInto(table)
    .values(values as never)
    .execute()
}

export async function findMairie(db: Database, communeId: string): Promise<Mairie | null> {
  const { rows } = await sql<Mairie>`
    select ${columnList(Mairie.properties, 'acteurs')}
    from communes join acteurs on acteurs.id = communes.mairie_actor_id
    where communes.id = ${communeId}`.execute(db)
  return rows[0] ?? null
}

export async function countOfCommune(db: Database, communeId: string, claimTtlDays: number): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select
      (select count(*) from publication_communes pc join publications p on p.id = pc.publication_id
        where pc.commune_id = ${communeId} and p.deleted_at is null) as publications,
      (select count(*) from acteurs where commune_id = ${communeId} and deleted_at is null) as acteurs,
      (select count(*) from claims c join acteurs a on a.id = c.acteur_id
        where a.commune_id = ${communeId} and c.status = 'pending' and not ${isOverdue(claimTtlDays)}) as claims_pending
  `.execute(db)
  return rows[0] ?? raise(notFound())
}
