import { sql } from 'kysely'
import { contactNames } from '../../modules/acteurs/fields.ts'
import { columnList } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Identity } from './annuaire-record.ts'

export type MairieTarget = {
  id: string
  slug: string
  nom: string
  code_insee: string
  mairie_actor_id: string | null
  /** The mairie acteur: the one the commune names, else one that belongs to this commune only. */
  acteur_id: string | null
  acteur_deleted: boolean
  has_hours: boolean
  next_position: number
}
type IdentityOf = Identity & { id: string }
export type NewMairie = IdentityOf & { slug: string; nom: string; commune_id: string }
export type NewHours = { id: string; commune_id: string; valeur: string; position: number }

/** Locks the mairies of a batch before their communes, in the order that publishing uses, so that neither deadlocks. */
export async function lockMairies(db: Database, communeIds: string[]): Promise<void> {
  await sql`
    select from acteurs
    where id in (select mairie_actor_id from communes where id = any(${communeIds}::uuid[]))
      or (type = 'mairie' and commune_id = any(${communeIds}::uuid[]))
    order by id for no key update`.execute(db)
}

/** Returns the communes of a batch, locked until the transaction ends, with their mairies. */
export async function listTargets(db: Database, communeIds: string[]): Promise<MairieTarget[]> {
  const { rows } = await sql<MairieTarget>`
    select commune.id, commune.slug, commune.nom, commune.code_insee, commune.mairie_actor_id, acteur.id as acteur_id,
      acteur.deleted_at is not null as acteur_deleted, infos.has_hours, infos.next_position
    from communes as commune
    left join lateral (
      select id, deleted_at from acteurs
      where id = commune.mairie_actor_id
        or (commune.mairie_actor_id is null and commune_id = commune.id and type = 'mairie' and deleted_at is null)
      order by created_at, id limit 1
    ) as acteur on true
    cross join lateral (
      select coalesce(bool_or(cle = 'horaires'), false) as has_hours, coalesce(max(position), 0) + 1 as next_position
      from commune_infos where commune_id = commune.id
    ) as infos
    where commune.id = any(${communeIds}::uuid[])
    order by commune.id for no key update of commune`.execute(db)
  return rows
}

export async function listTakenSlugs(db: Database, slugs: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ slug: string }>`
    select slug from acteurs where slug = any(${slugs}::text[])`.execute(db)
  return new Set(rows.map(({ slug }) => slug))
}

/** What an import gives a mairie where it has nothing. */
export const filledNames = [...contactNames, 'siret'] as const
const names = columnList(filledNames)
const columns = sql.join(filledNames.map((name) => sql`${sql.ref(name)} text`))

export async function insertMairies(db: Database, mairies: NewMairie[]): Promise<void> {
  await sql`
    insert into acteurs (id, slug, nom, type, commune_id, ${names}, valide, active, can_publish)
    select id, slug, nom, 'mairie', commune_id, ${names}, true, true, true
    from jsonb_to_recordset(${JSON.stringify(mairies)}::jsonb)
      as row(id uuid, slug text, nom text, commune_id uuid, ${columns})`.execute(db)
}

/**
 * Fills null or blank contacts and numbers; existing values stay. Returns the ids that changed. Locks in id order, like decisions
 * on publications, so that neither deadlocks.
 */
export async function fillMairies(db: Database, filling: IdentityOf[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with filled as (
      select acteur.id, ${sql.join(filledNames.map(filled))}
      from jsonb_to_recordset(${JSON.stringify(filling)}::jsonb) as row(id uuid, ${columns})
      join acteurs as acteur on acteur.id = row.id
      order by acteur.id for no key update of acteur
    )
    update acteurs set (${names}) = row(${columnList(filledNames, 'filled')})
    from filled
    where acteurs.id = filled.id
      and (${columnList(filledNames, 'acteurs')}) is distinct from (${columnList(filledNames, 'filled')})
    returning acteurs.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

function filled(column: (typeof filledNames)[number]) {
  const [before, source] = [sql.ref(`acteur.${column}`), sql.ref(`row.${column}`)]
  return sql`case when coalesce(btrim(${before}), '') = '' and ${source} is not null then ${source} else ${before} end
    as ${sql.ref(column)}`
}

export async function insertHours(db: Database, hours: NewHours[]): Promise<void> {
  await sql`
    insert into commune_infos (id, commune_id, cle, libelle, valeur, position)
    select id, commune_id, 'horaires', 'Horaires d’ouverture', valeur, position
    from jsonb_to_recordset(${JSON.stringify(hours)}::jsonb)
      as row(id uuid, commune_id uuid, valeur text, position integer)`.execute(db)
}

/** Sets missing mairies and increments the version, also of communes that only have new infos. */
export async function nameMairies(
  db: Database,
  named: { id: string; acteur_id: string | null }[],
): Promise<void> {
  await sql`
    update communes set mairie_actor_id = coalesce(communes.mairie_actor_id, row.acteur_id),
      version = communes.version + 1
    from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as row(id uuid, acteur_id uuid)
    where communes.id = row.id`.execute(db)
}
