import { sql } from 'kysely'
import { afterId, findByUser, inPages, type Personal } from '../../platform/personal.ts'
import type { Format, Width } from './decoding/decoded.ts'
import { deleteMedia, removeFromRecords } from './queries.ts'
import type { ObjectStore } from './store/object-store.ts'
import { readVariant } from './store/reading.ts'

/** Pictures and documents that the person sent. An erasure removes them with their bytes, wherever they are shown. */
export const mediaOfPerson = (store: ObjectStore | null): Personal => ({
  name: 'media',
  title: { en: 'Pictures and documents they sent', fr: 'Images et documents envoyés' },
  erasure: {
    en: 'Deleted with their bytes, also where they are shown.',
    fr: 'Supprimés avec leurs octets, là aussi où ils sont affichés.',
  },
  kind: null,
  find: findByUser('media', { user: 'created_by' }),
  // A page is short, because each row has its largest picture.
  read: (db, { userIds }) =>
    inPages<{ id: string }>(async (last, limit) => {
      const { rows } = await sql<Sent>`
        select m.id, m.acteur_id, m.kind, m.alt, m.decorative, m.nom, m.width, m.height, m.sha256, m.created_at,
          (select v.width from media_variants v
           where v.sha256 = m.sha256 and v.format = 'jpeg' order by v.width desc limit 1) as jpeg_width
        from media m where m.created_by = any(${userIds}::uuid[]) and m.id > ${afterId(last)}
        order by m.id limit ${limit}`.execute(db)
      const page = []
      for (const { jpeg_width: width, ...row } of rows) {
        const read = async (format: Format | 'pdf', width: Width | 0) =>
          (await readVariant({ reads: db, store }, { sha256: row.sha256, width, format })).toString('base64')
        page.push({
          ...row,
          jpeg_base64: width === null ? null : await read('jpeg', width),
          pdf_base64: row.kind === 'document' ? await read('pdf', 0) : null,
        })
      }
      return page
    }, 5),
  erase: async (tx, { userIds }) => {
    const { rows } = await sql<{ id: string }>`
      select id from media where created_by = any(${userIds}::uuid[]) order by id for update`.execute(tx)
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return ids
    await removeFromRecords(tx, ids)
    await deleteMedia(tx, sql`m.id = any(${ids}::uuid[])`)
    return ids
  },
})

type Sent = { id: string; kind: 'image' | 'document'; sha256: string; jpeg_width: Width | null }
