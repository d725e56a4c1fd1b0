import { type RawBuilder, sql } from 'kysely'
import { columnList } from '../../platform/database/columns.ts'
import { compiledOnce } from '../../platform/database/compiled-once.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound } from '../../platform/errors.ts'
import { coverOf, imageOf, privateAddress, publicAddress } from '../media/images.ts'
import {
  type CollecteRow,
  type Commune,
  type Contact,
  collecteFields,
  contactFields,
  Elu,
  Info,
  type Look,
  type Pictures,
  pictureNames,
  type StoredElu,
} from './schema.ts'

/** Queries shared by public reads and the back-office. */

/** Null if the commune does not exist. */
export async function findDepartement(db: Database, id: string): Promise<string | null> {
  const row = await db.selectFrom('communes').select('departement').where('id', '=', id).executeTakeFirst()
  return row?.departement ?? null
}

/** Selects the pictures of `communes`. */
export const picturesOf = (base: string) => sql<Pictures>`
  ${sql.join(pictureNames.map((name) => sql`${imageOf(sql.ref(`communes.${name}`), base)} as ${sql.ref(name)}`))}`

/** Reads the pictures of a commune, at addresses for everybody or for those who manage them. */
export async function findPictures(db: Database, id: string, base: string): Promise<Pictures> {
  const { rows } = await sql<Pictures>`select ${picturesOf(base)} from communes where id = ${id}`.execute(db)
  return rows[0] ?? { blason: null, photo: null }
}

/** Reads how a commune shows itself to everybody. */
export async function findLook(db: Database, id: string): Promise<Look & Pick<Commune, 'code_insee'>> {
  const { rows } = await sql<Look & Pick<Commune, 'code_insee'>>`
    select code_insee, nom_affiche, couleur, ${picturesOf(publicAddress)} from communes where id = ${id}`.execute(
    db,
  )
  return rows[0] ?? { code_insee: '', nom_affiche: null, couleur: null, blason: null, photo: null }
}

/** Tells of which lists of a commune there is a row. */
export async function findEntries(db: Database, id: string): Promise<Record<'bins' | 'elus', boolean>> {
  const { rows } = await sql<Record<'bins' | 'elus', boolean>>`
    select exists (select from collectes where commune_id = ${id}) as bins,
      exists (select from elus where commune_id = ${id}) as elus`.execute(db)
  return rows[0] ?? { bins: false, elus: false }
}

const { photo: _photo, photo_url: _photoUrl, ...eluFields } = Elu.properties

/** Selects élus `o` with their portraits. */
const elusAt = (base: string) => sql`${columnList(eluFields, 'o')},
  coalesce(${coverOf(sql`array[o.photo]`, base)}, o.photo_url) as photo_url, ${imageOf(sql`o.photo`, base)} as photo`

const elusOfCommune = (base: string) =>
  compiledOnce(
    (communeId: string) => sql<Elu>`
      select ${elusAt(base)} from elus o where o.commune_id = ${communeId} order by o.ordre, o.id`,
  )
/** Lists the élus of a commune, for everybody. */
export const listElus = elusOfCommune(publicAddress)
/** Lists them for those who manage them. */
export const listManagedElus = elusOfCommune(privateAddress)

/** Lists them as they are stored. */
export const listStoredElus = compiledOnce(
  (communeId: string) => sql<StoredElu>`
    select ${columnList(Elu.properties)} from elus where commune_id = ${communeId} order by ordre, id`,
)

export const listCollectes = compiledOnce(
  (communeId: string) => sql<CollecteRow>`
    select ${columnList(collecteFields)} from collectes where commune_id = ${communeId} order by position, id`,
)

/** Returns when a commune, or one of its lists, was changed last; its version rises each time. 404 if it is gone. */
export function findVersion(db: Database, communeId: string): Promise<{ version: number; updated_at: Date }> {
  return db
    .selectFrom('communes')
    .select(['version', 'updated_at'])
    .where('id', '=', communeId)
    .executeTakeFirstOrThrow(() => notFound())
}

type OfCommune = { commune: string; code_insee: string }

/** Lists the collectes of all communes, or of some, after one, with their commune. */
export const listAllCollectes = ofAllCommunes<CollecteRow>('collectes', columnList(collecteFields, 'o'))
/** The same for the information of communes, and for their élus. */
export const listAllInfos = ofAllCommunes<Info>('commune_infos', columnList(Info.properties, 'o'))
export const listAllElus = ofAllCommunes<Elu>('elus', elusAt(publicAddress))

function ofAllCommunes<Row>(table: 'collectes' | 'commune_infos' | 'elus', columns: RawBuilder<unknown>) {
  return async (
    db: Database,
    communeIds: readonly string[] | null,
    after: string,
    limit: number,
  ): Promise<(Row & OfCommune)[]> => {
    const isShown = communeIds === null ? sql`true` : sql`o.commune_id = any(${communeIds}::uuid[])`
    const { rows } = await sql<Row & OfCommune>`
      select ${columns}, c.nom as commune, c.code_insee
      from ${sql.table(table)} o join communes c on c.id = o.commune_id
      where o.id > ${after} and ${isShown} order by o.id limit ${limit}`.execute(db)
    return rows
  }
}

export const listInfos = compiledOnce(
  (communeId: string) => sql<Info>`
    select ${columnList(Info.properties)} from commune_infos where commune_id = ${communeId} order by position, id`,
)

/** Contact and opening hours of a mairie. */
type MairieContact = Contact & { horaires: string | null }

/** Selects the contact of a mairie; a deleted or inactive one has none. */
export const contactOfMairie = (mairieId: RawBuilder<unknown>) => sql<MairieContact>`
  select ${columnList(contactFields, 'a')}, a.horaires from acteurs a
  where a.id = ${mairieId} and a.active and a.deleted_at is null`

const contactsOfMairie = compiledOnce((communeId: string) =>
  contactOfMairie(sql`(select mairie_actor_id from communes where id = ${communeId})`),
)

/** Returns the contact of the commune's mairie; a deleted or inactive one counts as missing. */
export async function findMairieContact(db: Database, communeId: string): Promise<MairieContact | null> {
  const [contact = null] = await contactsOfMairie(db, communeId)
  return contact
}
