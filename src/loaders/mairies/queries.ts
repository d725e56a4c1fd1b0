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
  contacts: Identity
  /** Fields that somebody has given a value, as the audit log knows. */
  typed: string[]
  /** Its rows of opening hours: more than one is never what a load wrote. */
  hours: { id: string; valeur: string }[]
  /** Somebody changed the practical information of the commune. */
  typed_infos: boolean
  next_position: number
}
type IdentityOf = Identity & { id: string }
export type NewMairie = IdentityOf & { slug: string; nom: string; commune_id: string }
export type NewHours = { id: string; commune_id: string; valeur: string; position: number }

/** What the source fills of a mairie. */
export const filledNames = [...contactNames, 'siret'] as const
const names = columnList(filledNames)
const columns = sql.join(filledNames.map((name) => sql`${sql.ref(name)} text`))

/** Locks the mairies of a batch before their communes, in the order that publishing uses, so that neither deadlocks. */
export async function lockMairies(db: Database, communeIds: string[]): Promise<void> {
  await sql`
    select from acteurs
    where id in (select mairie_actor_id from communes where id = any(${communeIds}::uuid[]))
      or (type = 'mairie' and commune_id = any(${communeIds}::uuid[]))
    order by id for no key update`.execute(db)
}

/** Returns the communes of a batch with their mairies; the writer locks them until its transaction ends. */
export async function listTargets(
  db: Database,
  communeIds: string[],
  { locked }: { locked: boolean },
): Promise<MairieTarget[]> {
  const { rows } = await sql<MairieTarget>`
    select commune.id, commune.slug, commune.nom, commune.code_insee, commune.mairie_actor_id, acteur.id as acteur_id,
      acteur.deleted_at is not null as acteur_deleted, to_jsonb(acteur) as contacts, infos.hours, infos.next_position,
      array(
        select distinct name from audit_log,
          jsonb_object_keys(jsonb_strip_nulls(coalesce(before, '{}')) || jsonb_strip_nulls(coalesce(after, '{}'))) as name
        where entity = 'acteur' and entity_id = acteur.id::text) as typed,
      exists (
        select from audit_log where entity = 'commune' and entity_id = commune.id::text
          and (after ? 'infos' or before ? 'infos')) as typed_infos
    from communes as commune
    left join lateral (
      select id, deleted_at, ${names} from acteurs
      where id = commune.mairie_actor_id
        or (commune.mairie_actor_id is null and commune_id = commune.id and type = 'mairie' and deleted_at is null)
      order by created_at, id limit 1
    ) as acteur on true
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('id', id, 'valeur', valeur) order by position, id)
          filter (where cle = 'horaires'), '[]') as hours,
        coalesce(max(position), 0) + 1 as next_position
      from commune_infos where commune_id = commune.id
    ) as infos
    where commune.id = any(${communeIds}::uuid[])
    order by commune.id ${locked ? sql`for no key update of commune` : sql``}`.execute(db)
  return rows
}

export async function listTakenSlugs(db: Database, slugs: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ slug: string }>`
    select slug from acteurs where slug = any(${slugs}::text[])`.execute(db)
  return new Set(rows.map(({ slug }) => slug))
}

export async function insertMairies(db: Database, mairies: NewMairie[]): Promise<void> {
  await sql`
    insert into acteurs (id, slug, nom, type, commune_id, ${names}, valide, active, can_publish)
    select id, slug, nom, 'mairie', commune_id, ${names}, true, true, true
    from jsonb_to_recordset(${JSON.stringify(mairies)}::jsonb)
      as row(id uuid, slug text, nom text, commune_id uuid, ${columns})`.execute(db)
}

/** Writes the contacts and numbers of mairies that the caller has locked. */
export async function updateMairies(db: Database, mairies: IdentityOf[]): Promise<void> {
  await sql`
    update acteurs set (${names}) = row(${columnList(filledNames, 'row')})
    from jsonb_to_recordset(${JSON.stringify(mairies)}::jsonb) as row(id uuid, ${columns})
    where acteurs.id = row.id`.execute(db)
}

export async function insertHours(db: Database, hours: NewHours[]): Promise<void> {
  await sql`
    insert into commune_infos (id, commune_id, cle, libelle, valeur, position)
    select id, commune_id, 'horaires', 'Horaires d’ouverture', valeur, position
    from jsonb_to_recordset(${JSON.stringify(hours)}::jsonb)
      as row(id uuid, commune_id uuid, valeur text, position integer)`.execute(db)
}

/** Writes other hours, and removes those that the source no longer has. */
export async function changeHours(
  db: Database,
  hours: { id: string; valeur: string | null }[],
): Promise<void> {
  if (hours.length === 0) return
  const rows = JSON.stringify(hours)
  await sql`
    update commune_infos set valeur = row.valeur
    from jsonb_to_recordset(${rows}::jsonb) as row(id uuid, valeur text)
    where commune_infos.id = row.id and row.valeur is not null`.execute(db)
  await sql`
    delete from commune_infos using jsonb_to_recordset(${rows}::jsonb) as row(id uuid, valeur text)
    where commune_infos.id = row.id and row.valeur is null`.execute(db)
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
