import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { Format, Width } from '../decoding/decoded.ts'
import type { StoredObject } from './object-store.ts'

/** Which bytes: a variant of a picture, or with width 0 the file of a document. */
export type VariantKey = { sha256: string; width: Width | 0; format: Format | 'pdf' }

/** Where the bytes of a variant are: here, or in the store. */
export type VariantRow = { content: Buffer } | { content: null; object: StoredObject }
type Row = { content: string | null; object: string; bytes: number; digests: string[] }

const placed = ({ content, object: id, bytes, digests }: Row): VariantRow =>
  content === null ? { content, object: { id, bytes, digests } } : { content: Buffer.from(content, 'base64') }

/**
 * Returns the bytes of a variant, or a part of them, or the object that has them. They come as base64: as `bytea`, which the
 * driver reads as hexadecimal digits, a picture takes twice as long.
 */
export async function findVariant(
  db: Database,
  { sha256, width, format }: VariantKey,
  part: { first: number; length: number } | null,
): Promise<VariantRow | undefined> {
  const content =
    part === null ? sql`v.content` : sql`substring(v.content from ${part.first + 1} for ${part.length})`
  const { rows } = await sql<Row>`
    select encode(${content}, 'base64') as content, v.object, o.bytes, o.digests
    from media_variants v left join media_objects o on o.id = v.object
    where v.sha256 = ${sha256} and v.width = ${width} and v.format = ${format}`.execute(db)
  return rows[0] && placed(rows[0])
}

export type VariantInDatabase = VariantKey & { content: Buffer }

/** Returns the next variant whose bytes are in the database, after another. */
export async function findNextInDatabase(
  db: Database,
  after: VariantKey | null,
): Promise<VariantInDatabase | undefined> {
  const { sha256, width, format } = after ?? { sha256: '', width: 0, format: '' }
  const { rows } = await sql<VariantInDatabase>`
    select sha256, width, format, content from media_variants
    where object is null and (sha256, width, format) > (${sha256}, ${width}, ${format})
    order by sha256, width, format limit 1`.execute(db)
  return rows[0]
}

/** Returns the next object that a variant names, after another. */
export async function findNextStored(db: Database, after: string): Promise<StoredObject | undefined> {
  const { rows } = await sql<StoredObject>`
    select o.id, o.bytes, o.digests from media_variants v join media_objects o on o.id = v.object
    where v.object > ${after}::uuid order by v.object limit 1`.execute(db)
  return rows[0]
}

/** Notes an object before it is written. */
export async function insertObject(db: Database, { id, bytes, digests }: StoredObject): Promise<void> {
  await db.insertInto('media_objects').values({ id, bytes, digests }).execute()
}

/** Says that the bytes of a variant are in an object that was written; false if it is gone, or was moved meanwhile. */
export function placeInStore(
  db: Database,
  { sha256, width, format }: VariantKey,
  id: string,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      select from media_objects where id = ${id} and state = 'writing' for update`.execute(tx)
    if (rows.length === 0) return false
    const { numAffectedRows } = await sql`
      update media_variants set object = ${id}, content = null
      where sha256 = ${sha256} and width = ${width} and format = ${format} and object is null`.execute(tx)
    const isPlaced = numAffectedRows === 1n
    const state = isPlaced ? 'stored' : 'released'
    await sql`update media_objects set state = ${state} where id = ${id}`.execute(tx)
    return isPlaced
  })
}

/** Brings the bytes of an object back; false if no variant names it any more. A trigger releases the object. */
export async function placeInDatabase(db: Database, { id }: StoredObject, content: Buffer): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update media_variants set object = null, content = ${content} where object = ${id}`.execute(db)
  return numAffectedRows === 1n
}

/** Releases an object that was not written, or that nothing will name; one that its writer left long ago, too. */
export async function releaseUnwritten(db: Database, id: string | null): Promise<void> {
  await sql`
    update media_objects set state = 'released' where state = 'writing'
      and ${id === null ? sql`created_at < now() - interval '1 hour'` : sql`id = ${id}`}`.execute(db)
}

export async function listReleased(db: Database, after: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from media_objects where state = 'released' and id > ${after}::uuid
    order by id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function deleteObject(db: Database, id: string): Promise<void> {
  await sql`delete from media_objects where id = ${id} and state = 'released'`.execute(db)
}

/** Counts the variants in each place. */
export async function countPlaces(db: Database): Promise<{ database: number; s3: number }> {
  const { rows } = await sql<{ database: number; s3: number }>`
    select (count(*) filter (where object is null))::int as database, count(object)::int as s3
    from media_variants`.execute(db)
  return rows[0] ?? { database: 0, s3: 0 }
}
