import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { Format, Variant, Width } from './decoding/decoded.ts'
import type { Media } from './schema.ts'

export type MediaRow = Omit<Media, 'src'> & { sha256: string; created_by: string | null }

export const mediaColumns = sql<MediaRow>`m.id, m.kind, m.acteur_id, m.created_by, m.sha256, m.alt, m.decorative, m.nom,
  m.width, m.height, m.bytes::float8 as bytes, m.unused_since, m.created_at, m.updated_at, m.version`

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
  return getMedia(tx, { id })
}

type Made = Pick<
  MediaRow,
  'id' | 'kind' | 'acteur_id' | 'created_by' | 'alt' | 'decorative' | 'nom' | 'width' | 'height'
>

/** Inserts a record with its variants, of which equal ones are stored once. */
export async function insertMedia(tx: Database, made: Made, variants: Variant[]): Promise<MediaRow> {
  const sha256 = digestOf(variants)
  await lockDigests(tx, [sha256])
  for (const { width, format, content } of variants) {
    await tx
      .insertInto('media_variants')
      .values({ sha256, width, format, bytes: content.byteLength, content: Buffer.from(content) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const bytes = variants.reduce((sum, { content }) => sum + content.byteLength, 0)
  await tx
    .insertInto('media')
    .values({ ...made, sha256, bytes })
    .execute()
  return getMedia(tx, made)
}

function digestOf(variants: Variant[]): string {
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

/** Returns the titles of some publications that show a picture, deleted ones too: they may be restored. */
export async function listTitlesThatShow(db: Database, id: string): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    select title from publications where images @> array[${id}::uuid] order by id limit 3`.execute(db)
  return rows.map(({ title }) => title)
}

/** True if a publication shows the picture, in whatever state. */
export async function isUsed(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql`select from publications where images @> array[${id}::uuid] limit 1`.execute(db)
  return rows.length > 0
}

/** True if an accepted publication shows the picture, of an acteur whose changes are read before they appear. */
export async function isPublishedUnread(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from publications p left join acteurs a on a.id = p.acteur_id
    where p.images @> array[${id}::uuid] and p.valide and p.deleted_at is null and a.can_publish is not true limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Removes pictures from the publications that show them. */
export async function removeFromPublications(tx: Database, ids: string[]): Promise<void> {
  await sql`
    update publications set images = (
      select array_agg(id order by position) from unnest(images) with ordinality image (id, position)
      where id <> all(${ids}::uuid[]))
    where images && ${ids}::uuid[]`.execute(tx)
}

/** Notes since when nothing shows a picture that was shown. */
export async function noteUnused(db: Database): Promise<void> {
  await sql`
    update media m set unused_since = now()
    where unused_since is null and not exists (
      select from publications p where p.images @> array[m.id])`.execute(db)
}

/** Returns the bytes of a variant. */
export async function getVariant(
  db: Database,
  sha256: string,
  width: Width,
  format: Format,
): Promise<Buffer> {
  const row = await db
    .selectFrom('media_variants')
    .select('content')
    .where('sha256', '=', sha256)
    .where('width', '=', width)
    .where('format', '=', format)
    .executeTakeFirst()
  return row?.content ?? raise(notFound())
}

/** Sums the bytes of all variants. */
export async function sumBytes(db: Database): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(bytes), 0)::float8 as total from media_variants`.execute(db)
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
