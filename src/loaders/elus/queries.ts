import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type { Elu } from './council.ts'

export type PlacedElu = Elu & { commune_id: string }

/** Locks the communes in id order until the transaction ends, so that administrators' changes wait. */
export async function lockCommunes(db: Database, ids: string[]): Promise<void> {
  await sql`select from communes where id = any(${ids}::uuid[]) order by id for no key update`.execute(db)
}

export async function listElusOfCommunes(db: Database, ids: string[]): Promise<PlacedElu[]> {
  const { rows } = await sql<PlacedElu>`
    select id, commune_id, nom, prenom, fonction, ordre, photo_url, mandat_debut
    from elus where commune_id = any(${ids}::uuid[]) order by commune_id, ordre, id`.execute(db)
  return rows
}

const columns = sql.raw(
  'id uuid, commune_id uuid, nom text, prenom text, fonction text, ordre integer, mandat_debut date',
)

export async function insertElus(db: Database, elus: PlacedElu[]): Promise<void> {
  await sql`
    insert into elus (id, commune_id, nom, prenom, fonction, ordre, mandat_debut)
    select id, commune_id, nom, prenom, fonction, ordre, mandat_debut
    from jsonb_to_recordset(${JSON.stringify(elus)}::jsonb) as row(${columns})`.execute(db)
}

export async function updateElus(db: Database, elus: PlacedElu[]): Promise<void> {
  await sql`
    update elus set nom = row.nom, prenom = row.prenom, fonction = row.fonction, ordre = row.ordre,
      mandat_debut = row.mandat_debut
    from jsonb_to_recordset(${JSON.stringify(elus)}::jsonb) as row(${columns})
    where elus.id = row.id`.execute(db)
}

export async function deleteElus(db: Database, elus: PlacedElu[]): Promise<void> {
  await sql`delete from elus where id = any(${elus.map(({ id }) => id)}::uuid[])`.execute(db)
}

/** Increments the version of communes whose sub-list changed. */
export async function touchCommunes(db: Database, ids: string[]): Promise<void> {
  await sql`update communes set version = version + 1 where id = any(${ids}::uuid[])`.execute(db)
}
