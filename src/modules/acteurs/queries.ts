import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { beginsWord } from '../../platform/database/search.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { Paging } from '../../platform/http/paging.ts'
import type { ActeursQuery } from './schema.ts'

const columns = [
  'id',
  'slug',
  'nom',
  'type',
  'commune_id',
  'description',
  'adresse',
  'telephone',
  'email',
  'site_web',
  'valide',
  'badge',
  'active',
  'can_publish',
  'deleted_at',
  'version',
  'created_at',
  'updated_at',
] as const
export type ActeurRow = Pick<Selectable<tables.Acteurs>, (typeof columns)[number]>

export function listActeurs(
  db: Database,
  query: ActeursQuery,
  { limit, offset }: Paging,
): Promise<ActeurRow[]> {
  return matching(db, query).select(columns).orderBy('id', 'desc').limit(limit).offset(offset).execute()
}

export async function countActeurs(db: Database, query: ActeursQuery): Promise<number> {
  const { total } = await matching(db, query)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

function matching(db: Database, { q, commune_id, type, valide, active, deleted = 'false' }: ActeursQuery) {
  let query = db.selectFrom('acteurs')
  if (q !== undefined) query = query.where(beginsWord(q))
  if (commune_id !== undefined) query = query.where('commune_id', '=', commune_id)
  if (type !== undefined) query = query.where('type', '=', type)
  if (valide !== undefined) query = query.where('valide', '=', valide)
  if (active !== undefined) query = query.where('active', '=', active)
  if (deleted !== 'true') query = query.where('deleted_at', deleted === 'only' ? 'is not' : 'is', null)
  return query
}

export async function getActeur(db: Database, id: string): Promise<ActeurRow> {
  const row = await db.selectFrom('acteurs').select(columns).where('id', '=', id).executeTakeFirst()
  return row ?? raise(notFound())
}

export async function getActeurForUpdate(db: Database, id: string): Promise<ActeurRow> {
  const row = await db
    .selectFrom('acteurs')
    .select(columns)
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
    .executeTakeFirst()
}

export async function updateActeur(db: Database, id: string, values: Partial<ActeurRow>): Promise<ActeurRow> {
  return db
    .updateTable('acteurs')
    .set(values)
    .where('id', '=', id)
    .returning(columns)
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
