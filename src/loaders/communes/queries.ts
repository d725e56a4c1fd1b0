import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

/** A commune from a source. Null means unknown: the stored value stays. */
export type CommuneSource = {
  where: string
  code_insee: string
  nom: string
  codes_postaux: string[] | null
  departement: string | null
  region: string | null
  population: number | null
  latitude: number | null
  longitude: number | null
}
/** A former name without a code of its own; `commune` is the code of the present commune. */
export type FormerName = { commune: string; nom: string }
export type AliasSource = { code_insee: string; commune: string; nom: string; type: string }

const columns = sql.raw(`code_insee text, nom text, codes_postaux text[], departement text, region text,
  population integer, latitude double precision, longitude double precision`)

export async function listKnownCommunes(db: Database) {
  return db.selectFrom('communes').select(['code_insee', 'slug', 'nom']).execute()
}

export async function listAliasCodes(db: Database): Promise<Set<string>> {
  const rows = await db.selectFrom('commune_aliases').select('code_insee').execute()
  return new Set(rows.map(({ code_insee }) => code_insee))
}

/** Updates communes, skips unchanged rows, and returns how many changed. */
export async function updateCommunes(db: Database, communes: CommuneSource[]): Promise<number> {
  const { numAffectedRows } = await sql`
    with wanted as (
      select commune.id, source.nom,
        coalesce(source.codes_postaux, commune.codes_postaux) as codes_postaux,
        coalesce(source.departement, commune.departement) as departement,
        coalesce(source.region, commune.region) as region,
        coalesce(source.population, commune.population) as population,
        coalesce(source.latitude, commune.latitude) as latitude,
        coalesce(source.longitude, commune.longitude) as longitude
      from jsonb_to_recordset(${JSON.stringify(communes)}::jsonb) as source(${columns})
      join communes as commune using (code_insee)
    )
    update communes set nom = wanted.nom, codes_postaux = wanted.codes_postaux, departement = wanted.departement,
      region = wanted.region, population = wanted.population, latitude = wanted.latitude, longitude = wanted.longitude
    from wanted
    where communes.id = wanted.id
      and (communes.nom, communes.codes_postaux, communes.departement, communes.region, communes.population,
        communes.latitude, communes.longitude)
      is distinct from (wanted.nom, wanted.codes_postaux, wanted.departement, wanted.region, wanted.population,
        wanted.latitude, wanted.longitude)`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export async function insertCommunes(
  db: Database,
  communes: (CommuneSource & { id: string; slug: string })[],
) {
  await sql`
    insert into communes (id, slug, nom, code_insee, codes_postaux, departement, region, population, latitude, longitude)
    select id, slug, nom, code_insee, coalesce(codes_postaux, '{}'), departement, region, population, latitude, longitude
    from jsonb_to_recordset(${JSON.stringify(communes)}::jsonb) as source(id uuid, slug text, ${columns})`.execute(
    db,
  )
}

/** Inserts or updates aliases; skips a code that is a commune's own code. */
export async function upsertAliases(db: Database, aliases: AliasSource[]): Promise<void> {
  await sql`
    insert into commune_aliases as alias (code_insee, commune_id, nom, type)
    select source.code_insee, communes.id, source.nom, source.type
    from jsonb_to_recordset(${JSON.stringify(aliases)}::jsonb)
      as source(code_insee text, commune text, nom text, type text)
    join communes on communes.code_insee = source.commune
    where not exists (select from communes as own where own.code_insee = source.code_insee)
    on conflict (code_insee) do update
      set commune_id = excluded.commune_id, nom = excluded.nom, type = excluded.type
      where (alias.commune_id, alias.nom, alias.type) is distinct from (excluded.commune_id, excluded.nom, excluded.type)
  `.execute(db)
}

export async function insertFormerNames(db: Database, names: FormerName[]): Promise<void> {
  await sql`
    insert into commune_former_names (commune_id, nom)
    select communes.id, source.nom
    from jsonb_to_recordset(${JSON.stringify(names)}::jsonb) as source(commune text, nom text)
    join communes on communes.code_insee = source.commune
    on conflict do nothing`.execute(db)
}
