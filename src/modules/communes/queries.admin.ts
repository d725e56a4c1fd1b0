import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { isOverdue } from '../claims/queries.ts'

export type CommuneRow = Selectable<tables.Communes>
type PartTable = 'elus' | 'collectes' | 'commune_infos'

export async function getCommune(db: Database, id: string): Promise<CommuneRow> {
  const row = await db.selectFrom('communes').selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? raise(notFound())
}

export async function getCommuneForUpdate(db: Database, id: string): Promise<CommuneRow> {
  const row = await db
    .selectFrom('communes')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? raise(notFound())
}

export async function insertCommune(db: Database, values: Insertable<tables.Communes>): Promise<CommuneRow> {
  return db.insertInto('communes').values(values).returningAll().executeTakeFirstOrThrow()
}

/** With no field left to set it still counts as a change: a part of the commune was. */
export async function updateCommune(
  db: Database,
  id: string,
  values: Updateable<tables.Communes>,
): Promise<CommuneRow> {
  return db
    .updateTable('communes')
    .set({ ...values, version: sql`version + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function isSlugTaken(db: Database, slug: string): Promise<boolean> {
  return (
    (await db.selectFrom('communes').select('id').where('slug', '=', slug).executeTakeFirst()) !== undefined
  )
}

/** The code of a former commune, which leads to the present one. */
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

export async function replacePart(
  db: Database,
  table: PartTable,
  communeId: string,
  rows: object[],
): Promise<void> {
  await db.deleteFrom(table).where('commune_id', '=', communeId).execute()
  if (rows.length === 0) return
  // One row type per table: the body was held against the schema of just this table.
  const values = rows.map((row) => ({ ...row, commune_id: communeId }))
  await db
    .insertInto(table)
    .values(values as never)
    .execute()
}

export async function findMairie(db: Database, communeId: string) {
  return db
    .selectFrom('communes')
    .innerJoin('acteurs', 'acteurs.id', 'communes.mairie_actor_id')
    .select(['acteurs.id', 'acteurs.slug', 'acteurs.nom', 'acteurs.active', 'acteurs.deleted_at'])
    .select(['acteurs.adresse', 'acteurs.telephone', 'acteurs.email', 'acteurs.site_web'])
    .where('communes.id', '=', communeId)
    .executeTakeFirst()
}

export type CommuneCounts = { publications: number; acteurs: number; claims_pending: number }

export async function countOfCommune(db: Database, communeId: string, claimTtlDays: number) {
  const { rows } = await sql<CommuneCounts>`
    select
      (select count(*) from publication_communes pc join publications p on p.id = pc.publication_id
        where pc.commune_id = ${communeId} and p.deleted_at is null) as publications,
      (select count(*) from acteurs where commune_id = ${communeId} and deleted_at is null) as acteurs,
      (select count(*) from claims c join acteurs a on a.id = c.acteur_id
        where a.commune_id = ${communeId} and c.status = 'pending' and not ${isOverdue(claimTtlDays)}) as claims_pending
  `.execute(db)
  return rows[0] ?? raise(notFound())
}
