import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { DecodedDocument, Format, Variant, Width } from './decoding/decoded.ts'
import { slugOf } from './documents.ts'
import type { Media } from './schema.ts'

export type MediaRow = Omit<Media, 'can' | 'src' | 'url'> & {
  sha256: string
  created_by: string | null
  slug: string | null
}

export const mediaColumns = sql<MediaRow>`m.id, m.kind, m.acteur_id, m.created_by, m.sha256, m.alt, m.decorative, m.nom,
  m.width, m.height, m.bytes::float8 as bytes, m.unused_since, m.unscanned_since, m.created_at, m.updated_at, m.version,
  (select d.pages from media_documents d where d.media_id = m.id) as pages,
  (select d.slug from media_documents d where d.media_id = m.id) as slug`

/** The publications `p` that show `media m`. */
export const showing = sql<boolean>`(p.images @> array[m.id] or p.documents @> array[m.id])`
const showingId = (id: string) =>
  sql<boolean>`(p.images @> array[${id}::uuid] or p.documents @> array[${id}::uuid])`

/** The pages of communes `g` that show `media m`. */
export const showingPage = sql<boolean>`(g.images @> array[m.id] or g.documents @> array[m.id])`
const showingPageId = (id: string) =>
  sql<boolean>`(g.images @> array[${id}::uuid] or g.documents @> array[${id}::uuid])`
/** True if no record shows `media m`. */
export const isUnused = sql<boolean>`(not exists (select from publications p where ${showing})
  and not exists (select from commune_pages g where ${showingPage})
  and not exists (select from acteurs where logo = m.id)
  and not exists (select from communes where blason = m.id or photo = m.id)
  and not exists (select from elus where photo = m.id))`

export async function findMedia(db: Database, id: string): Promise<MediaRow | undefined> {
  const { rows } = await sql<MediaRow>`select ${mediaColumns} from media m where m.id = ${id}`.execute(db)
  return rows[0]
}

export const getMedia = async (db: Database, { id }: { id: string }): Promise<MediaRow> =>
  (await findMedia(db, id)) ?? raise(notFound())

/** Locks a record until the transaction ends; 404 if it does not exist. */
export async function getMediaForUpdate(tx: Database, id: string): Promise<MediaRow> {
  await sql`select from media where id = ${id} for update`.execute(tx)
  return getMedia(tx, { id })
}

export async function updateMedia(
  tx: Database,
  { id }: MediaRow,
  { alt, decorative, nom }: Pick<MediaRow, 'alt' | 'decorative' | 'nom'>,
): Promise<MediaRow> {
  await tx.updateTable('media').set({ alt, decorative, nom }).where('id', '=', id).execute()
  if (nom !== null)
    await tx
      .updateTable('media_documents')
      .set({ slug: slugOf(nom) })
      .where('media_id', '=', id)
      .execute()
  return getMedia(tx, { id })
}

type Made = Pick<
  MediaRow,
  'id' | 'kind' | 'acteur_id' | 'created_by' | 'alt' | 'decorative' | 'nom' | 'width' | 'height'
> & { isUnscanned?: boolean }

export type Document = Pick<DecodedDocument, 'pages' | 'text'> & { content: Uint8Array }
type Stored = Omit<Variant, 'width' | 'format'> & { width: Width | 0; format: Format | 'pdf' }

/** Inserts a record with its variants, of which equal ones are stored once. The file of a document is one of them. */
export async function insertMedia(
  tx: Database,
  { isUnscanned = false, ...made }: Made,
  variants: Variant[],
  document: Document | null = null,
): Promise<MediaRow> {
  const all: Stored[] =
    document === null ? variants : [...variants, { width: 0, format: 'pdf', content: document.content }]
  const sha256 = digestOf(all)
  await lockDigests(tx, [sha256])
  for (const { width, format, content } of all) {
    await tx
      .insertInto('media_variants')
      .values({ sha256, width, format, bytes: content.byteLength, content: Buffer.from(content) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const bytes = all.reduce((sum, { content }) => sum + content.byteLength, 0)
  await tx
    .insertInto('media')
    .values({ ...made, sha256, bytes, ...(isUnscanned && { unscanned_since: sql`now()` }) })
    .execute()
  if (document !== null) await insertDocument(tx, made, document)
  return getMedia(tx, made)
}

async function insertDocument(tx: Database, { id, nom }: Made, { pages, text, content }: Document) {
  await sql`
    insert into media_documents (media_id, pages, bytes, slug, text, words)
    values (${id}, ${pages}, ${content.byteLength}, ${slugOf(nom ?? '')}, ${text}, document_search(${text}))`.execute(
    tx,
  )
}

function digestOf(variants: Stored[]): string {
  const hash = createHash('sha256')
  for (const { width, format, content } of variants)
    hash.update(`${width} ${format} ${content.byteLength}\n`).update(content)
  return hash.digest('hex')
}

/** Locks the variants of these digests against being added or removed. */
async function lockDigests(tx: Database, digests: string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('media ' || digest, 0))
    from (select distinct digest from unnest(${digests}::text[]) digest order by digest) digests`.execute(tx)
}

/** Deletes the records that match, and the variants that no other record shares. Returns the deleted records. */
export async function deleteMedia(tx: Database, matches: RawBuilder<unknown>): Promise<MediaRow[]> {
  const { rows } = await sql<MediaRow>`
    delete from media m where ${matches} returning ${mediaColumns}`.execute(tx)
  const digests = rows.map(({ sha256 }) => sha256)
  await lockDigests(tx, digests)
  await sql`
    delete from media_variants v
    where v.sha256 = any(${digests}::text[]) and not exists (select from media m where m.sha256 = v.sha256)`.execute(
    tx,
  )
  return rows
}

/** Returns the names of some records that show it, deleted ones too: they may be restored. */
export async function listNamesThatShow(db: Database, id: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    (select nom as name from acteurs where logo = ${id} order by id limit 1) union all
    (select nom from communes where blason = ${id} or photo = ${id} order by id limit 1) union all
    (select btrim(prenom || ' ' || nom) from elus where photo = ${id} order by id limit 1) union all
    (select title from commune_pages g where ${showingPageId(id)} order by id limit 1) union all
    (select title from publications p where ${showingId(id)} order by id limit 3)`.execute(db)
  return rows.map(({ name }) => name)
}

/** True if a publication or a page shows it, in whatever state, or a commune as its photo. Logos, coats of arms and portraits of élus need no description. */
export async function isPublished(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql`
    (select from publications p where ${showingId(id)} limit 1) union all
    (select from commune_pages g where ${showingPageId(id)} limit 1) union all
    (select from communes where photo = ${id} limit 1)`.execute(db)
  return rows.length > 0
}

/** True for an accepted publication `p` of an acteur `a` whose changes are read before they appear. */
const isReadFirst = sql<boolean>`(p.valide and p.deleted_at is null and a.can_publish is not true)`

/** True if an accepted publication shows it, of an acteur whose changes are read before they appear. */
export async function isPublishedUnread(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from publications p left join acteurs a on a.id = p.acteur_id
    where ${showingId(id)} and ${isReadFirst} limit 1`.execute(db)
  return rows.length > 0
}

export type Uses = { id: string; is_used: boolean; is_published_unread: boolean }

/** Returns of each whether a record shows it, and whether a publication as in `isPublishedUnread` does. */
export async function listUses(db: Database, ids: string[]): Promise<Uses[]> {
  const { rows } = await sql<Uses>`
    select m.id, not ${isUnused} as is_used, exists (
      select from publications p left join acteurs a on a.id = p.acteur_id
      where ${showing} and ${isReadFirst}) as is_published_unread
    from media m where m.id = any(${ids}::uuid[])`.execute(db)
  return rows
}

/** Removes pictures and documents from the records that show them. */
export async function removeFromRecords(tx: Database, ids: string[]): Promise<void> {
  await sql`update acteurs set logo = null where logo = any(${ids}::uuid[])`.execute(tx)
  for (const field of ['blason', 'photo'].map(sql.ref))
    await sql`update communes set ${field} = null where ${field} = any(${ids}::uuid[])`.execute(tx)
  // The version of a commune is that of its lists too, and its row their lock.
  await sql`
    update communes set version = version + 1
    where id in (select commune_id from elus where photo = any(${ids}::uuid[]))`.execute(tx)
  await sql`update elus set photo = null where photo = any(${ids}::uuid[])`.execute(tx)
  for (const table of ['publications', 'commune_pages'].map((name) => sql.table(name)))
    for (const field of ['images', 'documents'].map(sql.ref))
      await sql`
      update ${table} set ${field} = (
        select array_agg(id order by position) from unnest(${field}) with ordinality shown (id, position)
        where id <> all(${ids}::uuid[]))
      where ${field} && ${ids}::uuid[]`.execute(tx)
}

/** Notes since when nothing shows what was shown. */
export async function noteUnused(db: Database): Promise<void> {
  await sql`
    update media m set unused_since = now() where unused_since is null and ${isUnused}`.execute(db)
}

/** Sums the bytes of all variants in the database. */
export async function sumBytes(db: Database): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(bytes), 0)::float8 as total from media_variants where object is null`.execute(db)
  return rows[0]?.total ?? 0
}

type ActeurRow = { id: string; active: boolean; valide: boolean }

/** Returns a live acteur that was not merged. */
export async function findActeurToSendFor(
  db: Database,
  id: string,
  { isLocked }: { isLocked: boolean },
): Promise<ActeurRow | undefined> {
  const { rows } = await sql<ActeurRow>`
    select id, active, valide from acteurs where id = ${id} and deleted_at is null and merged_into is null
    ${isLocked ? sql`for share` : sql``}`.execute(db)
  return rows[0]
}

/** Returns the size of the largest JPEG of each of these pictures. */
export async function mapBytesOfLargest(db: Database, ids: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; bytes: number }>`
    select distinct on (m.id) m.id, v.bytes from media m join media_variants v using (sha256)
    where m.id = any(${ids}::uuid[]) and v.format = 'jpeg' order by m.id, v.width desc`.execute(db)
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}
