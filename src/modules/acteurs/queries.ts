import { type Insertable, sql } from 'kysely'
import { columnList, columnsOf } from '../../platform/database/columns.ts'
import { allOf } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { beginsWord } from '../../platform/database/search.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { Paging } from '../../platform/http/paging.ts'
import { Acteur, type ActeursQuery } from './schema.ts'

const columns = columnsOf(Acteur.properties)
export type ActeurRow = Acteur

export async function listActeurs(
  db: Database,
  query: ActeursQuery,
  { limit, offset }: Paging,
): Promise<ActeurRow[]> {
  const { rows } = await sql<ActeurRow>`
    select ${columnList(Acteur.properties)} from acteurs where ${matching(query)}
    order by id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countActeurs(db: Database, query: ActeursQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from acteurs where ${matching(query)}`.execute(db)
  return rows[0]?.total ?? 0
}

function matching({ q, commune_id, type, valide, active, deleted = 'false' }: ActeursQuery) {
  return allOf(
    q !== undefined && beginsWord(q),
    commune_id !== undefined && sql`commune_id = ${commune_id}`,
    type !== undefined && sql`type = ${type}`,
    valide !== undefined && (valide ? sql`valide` : sql`not valide`),
    active !== undefined && (active ? sql`active` : sql`not active`),
    deleted === 'false' && sql`deleted_at is null`,
    deleted === 'only' && sql`deleted_at is not null`,
  )
}

export async function getActeur(db: Database, id: string): Promise<ActeurRow> {
  const row = await db
    .selectFrom('acteurs')
    .select(columns)
    .$castTo<ActeurRow>()
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? raise(notFound())
}

export async function getActeurForUpdate(db: Database, id: string): Promise<ActeurRow> {
  const row = await db
    .selectFrom('acteurs')
    .select(columns)
    .$castTo<ActeurRow>()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? raise(notFound())
}

/** Waits for whoever makes something refer to it at this moment, and lets nobody do so until the transaction ends. */
export async function lockWithKeys(db: Database, id: string): Promise<void> {
  await db.selectFrom('acteurs').select('id').where('id', '=', id).forUpdate().execute()
}

/** Undefined when the slug is taken, also by somebody who inserts it at this moment. */
export async function insertActeur(
  db: Database,
  values: Insertable<tables.Acteurs>,
): Promise<ActeurRow | undefined> {
  return db
    .insertInto('acteurs')
    .values(values)
    .onConflict((conflict) => conflict.constraint('acteurs_slug_key').doNothing())
    .returning(columns)
    .$castTo<ActeurRow>()
    .executeTakeFirst()
}

export async function updateActeur(db: Database, id: string, values: Partial<ActeurRow>): Promise<ActeurRow> {
  return db
    .updateTable('acteurs')
    .set(values)
    .where('id', '=', id)
    .returning(columns)
    .$castTo<ActeurRow>()
    .executeTakeFirstOrThrow()
}

export async function listTakenSlugs(db: Database, slugs: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('acteurs')
    .select('slug')
    .where('slug', '=', sql<string>`any(${slugs}::text[])`)
    .execute()
  return new Set(rows.map(({ slug }) => slug))
}

export async function isMairieOfSome(db: Database, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('communes')
    .select('id')
    .where('mairie_actor_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
