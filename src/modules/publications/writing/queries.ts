import { type InsertObject, type Selectable, sql, type UpdateObject } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type * as tables from '../../../platform/database/types.generated.ts'
import { inScope, visible } from '../visibility.ts'

export type StoredPublication = Omit<Selectable<tables.Publications>, 'search' | 'sort_title'> & {
  commune_ids: string[]
}
export type HeldPublication = StoredPublication & {
  visible: boolean
  in_scope: boolean
  /** Its acteur, while valid and active, publishes without being read first. */
  trusted: boolean
}
export type ActeurRow = Pick<
  Selectable<tables.Acteurs>,
  'id' | 'commune_id' | 'valide' | 'active' | 'can_publish'
>

const stored = sql`
  p.id, p.slug, p.title, p.body, p.acteur_id, p.commune_id, p.type_id, p.date_debut, p.date_fin, p.source_url,
  p.image_url, p.epingle, p.moderation_status, p.moderation_reason, p.decided_centrally, p.valide, p.publie_le,
  p.en_avant, p.featured_until, p.deleted_at, p.created_by, p.duplicate_key, p.version, p.created_at, p.updated_at,
  array(select pc.commune_id from publication_communes pc where pc.publication_id = p.id order by pc.commune_id)
    as commune_ids`

/** A publication, deleted or not, that nobody else changes until the transaction ends. */
export async function findHeld(
  tx: Database,
  id: string,
  communeIds: string[] | null,
): Promise<HeldPublication | undefined> {
  // First the lock, then the reading: what somebody else changed meanwhile is seen whole, its communes too.
  await sql`select from publications where id = ${id} for no key update`.execute(tx)
  const { rows } = await sql<HeldPublication>`
    select ${stored}, ${visible} as visible, ${inScope(communeIds)} as in_scope,
      (a.can_publish and a.valide and a.active and a.deleted_at is null) is true as trusted
    from publications p left join acteurs a on a.id = p.acteur_id
    where p.id = ${id}`.execute(tx)
  return rows[0]
}

/** An acteur that is not deleted, held as it is until the publication stands. */
export async function findActeurHeld(tx: Database, id: string): Promise<ActeurRow | undefined> {
  return tx
    .selectFrom('acteurs')
    .select(['id', 'commune_id', 'valide', 'active', 'can_publish'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
}

export async function findActeur(tx: Database, id: string) {
  return (
    (await tx.selectFrom('acteurs').select(['id', 'commune_id']).where('id', '=', id).executeTakeFirst()) ??
    null
  )
}

export async function insertPublication(
  tx: Database,
  values: InsertObject<tables.DB, 'publications'> & { id: string },
  communeIds: string[],
): Promise<void> {
  await tx.insertInto('publications').values(values).execute()
  await insertCommunes(tx, values.id, communeIds)
}

/** It counts as a change also when only its communes did. */
export async function updatePublication(
  tx: Database,
  id: string,
  values: UpdateObject<tables.DB, 'publications'>,
): Promise<{ deleted_at: Date | null }> {
  return tx
    .updateTable('publications')
    .set({ ...values, version: sql`version + 1` })
    .where('id', '=', id)
    .returning('deleted_at')
    .executeTakeFirstOrThrow()
}

export async function replaceCommunes(tx: Database, id: string, communeIds: string[]): Promise<void> {
  await sql`
    delete from publication_communes
    where publication_id = ${id} and commune_id <> all(${communeIds}::uuid[])`.execute(tx)
  await insertCommunes(tx, id, communeIds)
}

async function insertCommunes(tx: Database, id: string, communeIds: string[]): Promise<void> {
  await sql`
    insert into publication_communes (publication_id, commune_id)
    select ${id}::uuid, commune_id from unnest(${communeIds}::uuid[]) commune_id
    on conflict do nothing`.execute(tx)
}
