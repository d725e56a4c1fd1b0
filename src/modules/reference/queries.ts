import { sql } from 'kysely'
import { columnList } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, notFound, raise } from '../../platform/errors.ts'
import { type SourceRow, storedSource, storedType, type TypeRow } from './schema.ts'

const most = 1_000
const typeColumns = columnList(storedType)

/** Lists the publication types in their order. They are few, so there is no pagination. */
export async function listTypes(db: Database): Promise<TypeRow[]> {
  const { rows } = await sql<TypeRow>`
    select ${typeColumns} from publication_types order by position, id limit ${sql.lit(most)}`.execute(db)
  return rows
}

export async function getType(db: Database, id: string): Promise<TypeRow> {
  const { rows } = await sql<TypeRow>`select ${typeColumns} from publication_types where id = ${id}`.execute(
    db,
  )
  return rows[0] ?? raise(notFound())
}

/** Locks a publication type until the transaction ends; 404 if it does not exist. */
export async function getTypeForUpdate(tx: Database, id: string): Promise<TypeRow> {
  const { rows } = await sql<TypeRow>`
    select ${typeColumns} from publication_types where id = ${id} for no key update`.execute(tx)
  return rows[0] ?? raise(notFound())
}

/** Inserts a publication type, last unless a position is given; 409 if the slug exists. */
export async function insertType(
  tx: Database,
  {
    id,
    slug,
    libelle,
    position = null,
  }: Pick<TypeRow, 'id' | 'slug' | 'libelle'> & { position?: number | null },
): Promise<TypeRow> {
  const { rows } = await sql<TypeRow>`
    insert into publication_types (id, slug, libelle, position)
    values (${id}, ${slug}, ${libelle},
      coalesce(${position}::int, (select max(position) + 1 from publication_types), 1))
    on conflict on constraint publication_types_slug_key do nothing returning ${typeColumns}`.execute(tx)
  return rows[0] ?? raise(conflict())
}

export async function updateType(tx: Database, before: TypeRow, values: Partial<TypeRow>): Promise<TypeRow> {
  const { libelle, position } = { ...before, ...values }
  const { rows } = await sql<TypeRow>`
    update publication_types set libelle = ${libelle}, position = ${position}
    where id = ${before.id} returning ${typeColumns}`.execute(tx)
  return rows[0] ?? raise(notFound())
}

const sourceColumns = sql`${columnList(storedSource)}, code as id`

export async function listAppSources(db: Database): Promise<SourceRow[]> {
  const { rows } = await sql<SourceRow>`
    select ${sourceColumns} from app_sources order by code limit ${sql.lit(most)}`.execute(db)
  return rows
}

export async function getAppSource(db: Database, code: string): Promise<SourceRow> {
  const { rows } =
    await sql<SourceRow>`select ${sourceColumns} from app_sources where code = ${code}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Locks an application until the transaction ends; 404 if it does not exist. */
export async function getAppSourceForUpdate(tx: Database, code: string): Promise<SourceRow> {
  const { rows } = await sql<SourceRow>`
    select ${sourceColumns} from app_sources where code = ${code} for no key update`.execute(tx)
  return rows[0] ?? raise(notFound())
}

/** Inserts an application; 409 if the code exists. */
export async function insertAppSource(
  tx: Database,
  { code, label, commune_ids, active }: Pick<SourceRow, 'code' | 'label' | 'commune_ids' | 'active'>,
): Promise<SourceRow> {
  const { rows } = await sql<SourceRow>`
    insert into app_sources (code, label, commune_ids, active)
    values (${code}, ${label}, ${commune_ids}::uuid[], ${active})
    on conflict on constraint app_sources_pkey do nothing returning ${sourceColumns}`.execute(tx)
  return rows[0] ?? raise(conflict())
}

export async function updateAppSource(
  tx: Database,
  before: SourceRow,
  values: Partial<SourceRow>,
): Promise<SourceRow> {
  const { label, commune_ids, active } = { ...before, ...values }
  const { rows } = await sql<SourceRow>`
    update app_sources set label = ${label}, commune_ids = ${commune_ids}::uuid[], active = ${active}
    where code = ${before.code} returning ${sourceColumns}`.execute(tx)
  return rows[0] ?? raise(notFound())
}

type CommuneName = { id: string; nom: string; departement: string }

export async function listCommuneNames(db: Database, ids: string[]): Promise<CommuneName[]> {
  const { rows } = await sql<CommuneName>`
    select id, nom, departement from communes where id = any(${ids}::uuid[]) order by nom, id`.execute(db)
  return rows
}

export async function countCommunes(db: Database, ids: string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from communes where id = any(${ids}::uuid[])`.execute(db)
  return rows[0]?.count ?? 0
}
