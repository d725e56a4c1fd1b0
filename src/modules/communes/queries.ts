import type { Selectable } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { beginsWord } from '../../platform/database/search.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import type { Paging } from '../../platform/http/paging.ts'
import type { ListQuery } from './schema.ts'

export type EluRow = Omit<Selectable<tables.Elus>, 'commune_id'>
export type CollecteRow = Omit<Selectable<tables.Collectes>, 'commune_id' | 'position'>
export type InfoRow = Omit<Selectable<tables.CommuneInfos>, 'commune_id'>
export type Contact = Pick<Selectable<tables.Acteurs>, 'adresse' | 'telephone' | 'email' | 'site_web'>

export async function listCommunes(db: Database, { q, departement }: ListQuery, { limit, offset }: Paging) {
  let query = db
    .selectFrom('communes')
    .select(['id', 'slug', 'nom', 'code_insee', 'codes_postaux', 'departement'])
    .orderBy('sort_name')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
  if (departement !== undefined) query = query.where('departement', '=', departement)
  if (q !== undefined) query = query.where(beginsWord(q))
  return query.execute()
}

export async function findCommuneBySlug(db: Database, slug: string) {
  return db
    .selectFrom('communes')
    .select(['id', 'slug', 'nom', 'code_insee', 'codes_postaux', 'departement', 'region', 'population'])
    .select(['latitude', 'longitude', 'mairie_actor_id'])
    .where('slug', '=', slug)
    .executeTakeFirst()
}

export async function communeExists(db: Database, id: string): Promise<boolean> {
  return (await db.selectFrom('communes').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export async function listElus(db: Database, communeId: string): Promise<EluRow[]> {
  return db
    .selectFrom('elus')
    .select(['id', 'nom', 'prenom', 'fonction', 'ordre', 'photo_url', 'mandat_debut'])
    .where('commune_id', '=', communeId)
    .orderBy('ordre')
    .orderBy('id')
    .execute()
}

export async function listCollectes(db: Database, communeId: string): Promise<CollecteRow[]> {
  return db
    .selectFrom('collectes')
    .select([
      'id',
      'type_dechet',
      'libelle',
      'secteur',
      'mode',
      'jours',
      'toutes_les_semaines',
      'a_partir_du',
    ])
    .select(['dates', 'exceptions', 'consignes'])
    .where('commune_id', '=', communeId)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

export async function listInfos(db: Database, communeId: string): Promise<InfoRow[]> {
  return db
    .selectFrom('commune_infos')
    .select(['id', 'cle', 'libelle', 'valeur', 'position'])
    .where('commune_id', '=', communeId)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** The contact of the commune's mairie; a deleted or inactive one counts as missing. */
export async function findMairieContact(db: Database, communeId: string): Promise<Contact | undefined> {
  return db
    .selectFrom('communes')
    .innerJoin('acteurs', 'acteurs.id', 'communes.mairie_actor_id')
    .select(['acteurs.adresse', 'acteurs.telephone', 'acteurs.email', 'acteurs.site_web'])
    .where('communes.id', '=', communeId)
    .where('acteurs.active', '=', true)
    .where('acteurs.deleted_at', 'is', null)
    .executeTakeFirst()
}
