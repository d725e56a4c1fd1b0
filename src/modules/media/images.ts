import { type RawBuilder, sql } from 'kysely'
import type { SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type Problem, type Text, validationFailed } from '../../platform/errors.ts'
import { formats, widths } from './decoding/decoded.ts'
import { altRequired } from './errors.ts'
import { rightOverMedia } from './permissions.ts'
import type { Image } from './schema.ts'

/** Where everybody reads the pictures of visible records, and where those who may read a record read its pictures. */
export const publicAddress = '/media'
export const privateAddress = '/api/v1/media'

/** The public does not see `media m` while it waits for the antivirus. */
export const scannedFor = (base: string) =>
  base === publicAddress ? sql`and m.unscanned_since is null` : sql``

/** Selects the pictures of a record as `Image`, in their order, from a column of their ids. */
export const imagesOf = (ids: RawBuilder<unknown>, base: string): RawBuilder<unknown> => sql`
  case when ${ids} is null then '[]'::json else (
    select coalesce(json_agg(${imageOfRow(base)} order by image.position), '[]'::json)
    from unnest(${ids}) with ordinality image (id, position) join media m on m.id = image.id ${scannedFor(base)}) end`

/** Selects the address of the largest JPEG of the first picture of a record; null without one. */
export const coverOf = (ids: RawBuilder<unknown>, base: string): RawBuilder<string | null> => sql<
  string | null
>`(
  select ${sql.lit(`${base}/`)} || m.id || case ${sql.join(
    widths.toReversed().flatMap((width, index) => {
      const below = widths.at(-index - 2)
      return below === undefined
        ? []
        : [sql`when m.width > ${sql.lit(below)} then ${sql.lit(`/${width}.jpg`)}`]
    }),
    sql` `,
  )} else ${sql.lit(`/${widths[0]}.jpg`)} end
  from media m where m.id = (${ids})[1] ${scannedFor(base)})`

/** The addresses of the variants of `media m`, as `srcOf` has them. */
export const srcOfRow = (base: string) =>
  sql`json_strip_nulls(json_build_object(${sql.join(
    widths.flatMap((width, index) => {
      const below = widths[index - 1] ?? 0
      const addresses = formats.flatMap((format) => [
        sql.lit(format),
        sql`${sql.lit(`${base}/`)} || m.id || ${sql.lit(`/${width}.${format === 'jpeg' ? 'jpg' : format}`)}`,
      ])
      return [
        sql.lit(`${width}`),
        sql`case when m.width > ${sql.lit(below)} then json_build_object(${sql.join(addresses)}) end`,
      ]
    }),
  )}))`

/** True for an address of a picture of ours as `coverOf` gives it: who sends a response back gives no new one. */
export const isOwnPicture = (address: string) =>
  /^(\/api\/v1)?\/media\/[\da-f-]{36}\/\d+\.jpg$/i.test(address)

/** Selects one picture as `Image`; null without one. */
export const imageOf = (
  id: RawBuilder<unknown>,
  base: string,
): RawBuilder<Image | null> => sql<Image | null>`(
  select ${imageOfRow(base)} from media m where m.id = ${id} ${scannedFor(base)})`

/** Selects `media m` as `Image`. */
export const imageOfRow = (base: string) =>
  noteUnscanned(
    base,
    sql`json_build_object('id', m.id, 'alt', m.alt, 'decorative', m.decorative,
      'width', m.width, 'height', m.height, 'src', ${srcOfRow(base)})`,
  )

/** Says of `media m` that it waits for the antivirus, to those who see it meanwhile. */
export const noteUnscanned = (base: string, file: RawBuilder<unknown>): RawBuilder<unknown> =>
  base === publicAddress
    ? file
    : sql`case when m.unscanned_since is null then ${file} else (${file}::jsonb || '{"unscanned": true}')::json end`

type Used = { acteurId: string | null; after: string[] | null; before: string[] | null }

/**
 * Locks pictures that a record of an acteur begins to use, against being deleted; 422 for those that the caller may not use:
 * they belong to the acteur, or the caller manages them. Pictures that the record uses already are not checked again.
 */
export const requireImages = (
  tx: Database,
  caller: SignedIn,
  used: Used,
  fieldOf = (index: number) => `images.${index}`,
) => requireUsable(tx, caller, used, { kind: 'image', fieldOf, unknown: unknownImage })

/** Does the same for the only picture of a field. */
export const requireImage = (
  tx: Database,
  caller: SignedIn,
  field: string,
  { acteurId, before, after }: Record<'acteurId' | 'before' | 'after', string | null>,
) => {
  const used = { acteurId, before: before === null ? null : [before], after: after === null ? null : [after] }
  return requireImages(tx, caller, used, () => field)
}

/** Does the same for documents. */
export const requireDocuments = (tx: Database, caller: SignedIn, used: Used) =>
  requireUsable(tx, caller, used, {
    kind: 'document',
    fieldOf: (index) => `documents.${index}`,
    unknown: unknownDocument,
  })

type Wanted = { kind: 'image' | 'document'; fieldOf: (index: number) => string; unknown: Text }

async function requireUsable(
  tx: Database,
  caller: SignedIn,
  { acteurId, after, before }: Used,
  { kind, fieldOf, unknown }: Wanted,
): Promise<void> {
  const added = (after ?? []).filter((id) => !before?.includes(id))
  if (added.length === 0) return
  const { rows } = await sql<{ id: string; acteur_id: string | null }>`
    select id, acteur_id from media where id = any(${added}::uuid[]) and kind = ${kind} order by id for share`.execute(
    tx,
  )
  const usable = rows.filter(
    ({ acteur_id }) =>
      (acteur_id !== null && acteur_id === acteurId) || rightOverMedia(caller, acteur_id) === 'allowed',
  )
  const ids = new Set(usable.map(({ id }) => id))
  const problems = (after ?? []).flatMap((id, index): Problem[] =>
    added.includes(id) && !ids.has(id) ? [{ field: fieldOf(index), message: unknown }] : [],
  )
  if (problems.length > 0) throw validationFailed(problems)
  await noteUsed(tx, added)
}

const noteUsed = (tx: Database, ids: string[]) =>
  sql`update media set unused_since = null where id = any(${ids}::uuid[]) and unused_since is not null`.execute(
    tx,
  )

/** Returns those of these files that still exist, in their order, and keeps them from being deleted. */
export async function lockExistingFiles(
  tx: Database,
  kind: 'image' | 'document',
  ids: string[] | null,
): Promise<string[] | null> {
  if (ids === null) return null
  const { rows } = await sql<{ id: string }>`
    select id from media where id = any(${ids}::uuid[]) and kind = ${kind} order by id for share`.execute(tx)
  const existing = new Set(rows.map(({ id }) => id))
  const left = ids.filter((id) => existing.has(id))
  if (left.length === 0) return null
  await noteUsed(tx, left)
  return left
}

/** Requires that these pictures have a description, or are decorative. */
export async function requireDescribed(
  tx: Database,
  images: string[] | null,
  fieldOf = (index: number) => `images.${index}`,
): Promise<void> {
  if (images === null) return
  const { rows } = await sql<{ id: string }>`
    select id from media where id = any(${images}::uuid[]) and alt is null and not decorative`.execute(tx)
  const missing = new Set(rows.map(({ id }) => id))
  if (missing.size === 0) return
  throw altRequired(
    images.flatMap((id, index) => (missing.has(id) ? [{ field: fieldOf(index), message: describe }] : [])),
  )
}

/** Requires the same of all pictures of the publications `of`, which a request names among its `ids`. */
export async function requireDescribedIn(tx: Database, of: string[], ids: string[]): Promise<void> {
  if (of.length === 0) return
  const { rows } = await sql<{ id: string }>`
    select distinct p.id from publications p join media m on m.id = any(p.images)
    where p.id = any(${of}::uuid[]) and m.alt is null and not m.decorative`.execute(tx)
  const missing = new Set(rows.map(({ id }) => id))
  if (missing.size === 0) return
  throw altRequired(
    ids.flatMap((id, index) =>
      missing.has(id.toLowerCase()) ? [{ field: `ids.${index}`, message: describe }] : [],
    ),
  )
}

const unknownImage = { en: 'must be a picture of this acteur', fr: 'doit être une image de cet acteur' }
const unknownDocument = { en: 'must be a document of this acteur', fr: 'doit être un document de cet acteur' }
const describe = {
  en: 'needs a description of what it shows, or to be marked as decorative',
  fr: 'demande une description de ce que l’on y voit, ou d’être marquée comme décorative',
}
