import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Database } from '../src/platform/database/connect.ts'

/** Reads a data file beside this one; the caller states its type. */
export async function readData<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(new URL(file, import.meta.url), 'utf8'))
}

/** Opens a data file as a stream for a loader. */
export const openData = (file: string) => createReadStream(new URL(file, import.meta.url))

/** Maps INSEE codes in the data to communes. */
export async function mapCommuneIds(db: Database, codes: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('communes')
    .select(['id', 'code_insee'])
    .where('code_insee', 'in', codes)
    .execute()
  return new Map(rows.map(({ code_insee, id }) => [code_insee, id]))
}

/** Maps slugs to acteurs. */
export async function mapActeurIds(db: Database): Promise<Map<string, string>> {
  const rows = await db.selectFrom('acteurs').select(['id', 'slug']).execute()
  return new Map(rows.map(({ slug, id }) => [slug, id]))
}

/** Maps slugs to publication types. */
export async function mapTypeIds(db: Database): Promise<Map<string, string>> {
  const rows = await db.selectFrom('publication_types').select(['id', 'slug']).execute()
  return new Map(rows.map(({ slug, id }) => [slug, id]))
}
