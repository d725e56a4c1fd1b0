import { type RawBuilder, sql } from 'kysely'
import { slugify } from '../../platform/formats/text.ts'
import { noteUnscanned, scannedFor, srcOfRow } from './images.ts'

/** The last part of the address of a document. */
export const slugOf = (nom: string) => slugify(nom).slice(0, 100).replace(/-$/, '') || 'document'

/** Selects the documents of a record as `Document`, in their order, from a column of their ids. */
export const documentsOf = (ids: RawBuilder<unknown>, base: string): RawBuilder<unknown> => sql`
  case when ${ids} is null then '[]'::json else (
    select coalesce(json_agg(${documentOfRow(base)} order by document.position), '[]'::json)
    from unnest(${ids}) with ordinality document (id, position)
      join media m on m.id = document.id join media_documents d on d.media_id = m.id ${scannedFor(base)}) end`

/** Selects `media m` and `media_documents d` as `Document`. */
const documentOfRow = (base: string) =>
  noteUnscanned(
    base,
    sql`json_build_object('id', m.id, 'nom', m.nom, 'bytes', d.bytes, 'pages', d.pages,
      'url', ${sql.lit(`${base}/`)} || m.id || '/' || d.slug || '.pdf', 'apercu', ${srcOfRow(base)})`,
  )

/** Selects the first of some documents that has words of a search, those that have all of them first, as `FoundIn`. */
export const documentWith = (
  ids: RawBuilder<unknown>,
  query: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(
  select json_build_object('id', m.id, 'nom', m.nom)
  from unnest(${ids}) with ordinality document (id, position)
    join media m on m.id = document.id join media_documents d on d.media_id = m.id
  where m.unscanned_since is null and d.words @@ replace(${query}::text, '&', '|')::tsquery
  order by d.words @@ ${query} desc, document.position limit 1)`
