import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Database } from '../src/platform/database/connect.ts'

/** A data file beside this one, in the shape that its reader says it has. */
export async function readData<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(new URL(file, import.meta.url), 'utf8'))
}

/** The same as a load reads it. */
export const openData = (file: string) => createReadStream(new URL(file, import.meta.url))

/** Data names communes by their INSEE code … */
export async function mapCommuneIds(db: Database, codes: string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('communes')
    .select(['id', 'code_insee'])
    .where('code_insee', 'in', codes)
    .execute()
  return new Map(rows.map(({ code_insee, id }) => [code_insee, id]))
}

/** … and acteurs by their slug. */
export async function mapActeurIds(db: Database): Promise<Map<string, string>> {
  const rows = await db.selectFrom('acteurs').select(['id', 'slug']).execute()
  return new Map(rows.map(({ slug, id }) => [slug, id]))
}

/** The types of publications too. */
export async function mapTypeIds(db: Database): Promise<Map<string, string>> {
  const rows = await db.selectFrom('publication_types').select(['id', 'slug']).execute()
  return new Map(rows.map(({ slug, id }) => [slug, id]))
}
