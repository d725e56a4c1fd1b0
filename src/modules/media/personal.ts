import { sql } from 'kysely'
import { findByUser, isOfUser, type Personal, rowsOf } from '../../platform/personal.ts'
import { deleteMedia, removeFromPublications } from './queries.ts'

/** Pictures and documents that the person sent. An erasure removes them with their bytes, wherever they are shown. */
export const mediaOfPerson: Personal = {
  name: 'media',
  title: { en: 'Pictures and documents they sent', fr: 'Images et documents envoyés' },
  erasure: {
    en: 'Deleted with their bytes, also where they are shown.',
    fr: 'Supprimés avec leurs octets, là aussi où ils sont affichés.',
  },
  kind: null,
  find: findByUser('media', { user: 'created_by' }),
  read: rowsOf(
    'media',
    sql`acteur_id, kind, alt, decorative, nom, width, height, bytes, sha256, created_at`,
    isOfUser('created_by'),
  ),
  erase: async (tx, { userIds }) => {
    const { rows } = await sql<{ id: string }>`
      select id from media where created_by = any(${userIds}::uuid[]) order by id for update`.execute(tx)
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return ids
    await removeFromPublications(tx, ids)
    await deleteMedia(tx, sql`m.id = any(${ids}::uuid[])`)
    return ids
  },
}
