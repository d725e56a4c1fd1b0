import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { type Format, formats } from '../src/modules/media/decoding/decoded.ts'
import { insertMedia } from '../src/modules/media/queries.ts'
import type { Database } from '../src/platform/database/connect.ts'
import { uuidv7At } from '../src/platform/formats/uuid.ts'

export const folder = new URL('pictures/', import.meta.url)
/** `tools/demo-pictures.ts` writes no larger ones: these are drawings with few details. */
export const sizes = [400, 800] as const

export const fileOf = (name: string, width: (typeof sizes)[number], format: Format): URL =>
  new URL(`${name}/${width}.${format === 'jpeg' ? 'jpg' : format}`, folder)

type Picture = { name: string; acteur_id: string | null; created_at: Date }

/** Inserts a drawing as a picture that an acteur sent. Its title in the SVG file is its description. */
export async function insertDemoPicture(db: Database, { name, ...of }: Picture): Promise<string> {
  const drawing = readFileSync(new URL(`${name}.svg`, folder), 'utf8')
  const [, alt = null] = /<title>(.*)<\/title>/.exec(drawing) ?? []
  const variants = sizes.flatMap((width) =>
    formats.map((format) => ({ width, format, content: readFileSync(fileOf(name, width, format)) })),
  )
  const id = uuidv7At(of.created_at.getTime())
  const [, across = 16, down = 9] = /viewBox="0 0 (\d+) (\d+)"/.exec(drawing) ?? []
  const height = Math.round((800 * Number(down)) / Number(across))
  const described = { alt, decorative: alt === null, nom: null, width: 800, height }
  await insertMedia(db, { id, kind: 'image', ...of, created_by: null, ...described }, variants)
  await sql`update media set unused_since = null, created_at = ${of.created_at} where id = ${id}`.execute(db)
  return id
}
