import { sql } from 'kysely'
import { findByUser, isOfUser, type Personal, rowsOf } from '../../platform/personal.ts'
import { deleteMedia } from './queries.ts'

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
    const rows = await deleteMedia(tx, sql`m.created_by = any(${userIds}::uuid[])`)
    return rows.map(({ id }) => id)
  },
}
