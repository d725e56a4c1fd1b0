import { sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { lockCommune } from '../locking.ts'
import type { Secteur } from './names.ts'
import { type SecteurRow, storedFields } from './schema.ts'

/** A secteur as its collections leave it. */
export type StoredSecteur = Secteur & Pick<SecteurRow, 'rues' | 'zone'>

/** Lists the secteurs of a commune with their places, in the order in which they are written. */
export async function listStored(db: Database, communeId: string): Promise<StoredSecteur[]> {
  const { rows } = await sql<StoredSecteur>`
    select nom, nom_initial, anciens_noms, rues, zone from secteurs
    where commune_id = ${communeId} order by nom_initial collate "C"`.execute(db)
  return rows
}

/** Makes these the secteurs of a commune. One that stays keeps its id, and its version if nothing of it changes. */
export async function writeSecteurs(
  tx: Database,
  communeId: string,
  secteurs: readonly StoredSecteur[],
): Promise<void> {
  const wanted = secteurs.map((secteur) => ({ id: uuidv7(), ...secteur }))
  await sql`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as w (id uuid, nom text, nom_initial text, anciens_noms text[], rues jsonb, zone jsonb)
    ), removed as (
      delete from secteurs where commune_id = ${communeId} and nom_initial not in (select nom_initial from wanted)
    )
    insert into secteurs (id, commune_id, nom_initial, nom, anciens_noms, rues, zone)
    select id, ${communeId}, nom_initial, nom, anciens_noms, rues, nullif(zone, 'null') from wanted
    on conflict (commune_id, nom_initial) do update
    set nom = excluded.nom, anciens_noms = excluded.anciens_noms, rues = excluded.rues, zone = excluded.zone`.execute(
    tx,
  )
}

/** Lists the secteurs of a commune, by name. */
export async function listSecteurRows(db: Database, communeId: string): Promise<SecteurRow[]> {
  const { rows } = await sql<SecteurRow>`
    select ${columnList(storedFields)} from secteurs where commune_id = ${communeId} order by nom, id`.execute(
    db,
  )
  return rows
}

/** Reads a secteur of a commune; 404 if it does not exist. */
export async function getSecteur(
  db: Database,
  { communeId, id }: { communeId: string; id: string },
): Promise<SecteurRow> {
  const { rows } = await sql<SecteurRow>`
    select ${columnList(storedFields)} from secteurs where id = ${id} and commune_id = ${communeId}`.execute(
    db,
  )
  return rows[0] ?? raise(notFound())
}

export type LockedSecteur = SecteurRow & { mairie_id: string | null }

/** Locks a secteur and its commune, and returns it with the mairie; 404 if it does not exist. */
export async function getSecteurForUpdate(tx: Database, id: string): Promise<LockedSecteur> {
  const { rows: owners } = await sql<{ commune_id: string }>`
    select commune_id from secteurs where id = ${id}`.execute(tx)
  const mairie_id = await lockCommune(tx, owners[0]?.commune_id ?? raise(notFound()))
  const { rows } = await sql<SecteurRow>`
    select ${columnList(storedFields)} from secteurs where id = ${id} for update`.execute(tx)
  return { ...(rows[0] ?? raise(notFound())), mairie_id }
}

type NewSecteur = Pick<SecteurRow, 'id' | 'commune_id' | 'nom' | 'rues' | 'zone'> & { nom_initial: string }

export async function insertSecteur(tx: Database, secteur: NewSecteur): Promise<SecteurRow> {
  const { id, commune_id, nom, nom_initial, rues, zone } = secteur
  const { rows } = await sql<SecteurRow>`
    insert into secteurs (id, commune_id, nom, nom_initial, rues, zone)
    values (${id}, ${commune_id}, ${nom}, ${nom_initial}, ${JSON.stringify(rues)}, ${zone && JSON.stringify(zone)})
    returning ${columnList(storedFields)}`.execute(tx)
  return rows[0] ?? raise(new Error('an insert without a row'))
}

/** Writes what a secteur is now. */
export async function updateSecteur(
  tx: Database,
  { id, nom, anciens_noms, rues, zone }: SecteurRow,
): Promise<SecteurRow> {
  const { rows } = await sql<SecteurRow>`
    update secteurs
    set nom = ${nom}, anciens_noms = ${anciens_noms}::text[], rues = ${JSON.stringify(rues)},
      zone = ${zone && JSON.stringify(zone)}
    where id = ${id} returning ${columnList(storedFields)}`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export async function deleteSecteur(tx: Database, id: string): Promise<void> {
  await sql`delete from secteurs where id = ${id}`.execute(tx)
}

/** Gives the collections of a commune that have one of these names another one. The commune gets a new version. */
export async function renameInCollectes(
  tx: Database,
  communeId: string,
  names: readonly string[],
  nom: string,
): Promise<void> {
  await sql`
    update collectes set secteur = ${nom}
    where commune_id = ${communeId} and secteur = any(${names}::text[])`.execute(tx)
  await sql`update communes set version = version + 1 where id = ${communeId}`.execute(tx)
}

/** Returns the names of the first names that secteurs of a commune had. */
export async function listInitialNames(tx: Database, communeId: string): Promise<string[]> {
  const { rows } = await sql<{ nom_initial: string }>`
    select nom_initial from secteurs where commune_id = ${communeId}`.execute(tx)
  return rows.map(({ nom_initial }) => nom_initial)
}

/** Counts the collections of a commune by the name of their secteur. */
export async function countCollectes(db: Database, communeId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ secteur: string; count: number }>`
    select secteur, count(*)::integer as count from collectes
    where commune_id = ${communeId} and secteur is not null group by secteur`.execute(db)
  return new Map(rows.map(({ secteur, count }) => [secteur, count]))
}
