import type { SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { privateAddress } from './images.ts'
import { mayDescribePublished } from './permissions.ts'
import { listUses, type MediaRow } from './queries.ts'
import { type Media, srcOf } from './schema.ts'

/** Returns records as their managers see them. */
export async function shownTo(db: Database, caller: SignedIn, rows: MediaRow[]): Promise<Media[]> {
  const uses = new Map(
    (
      await listUses(
        db,
        rows.map(({ id }) => id),
      )
    ).map((one) => [one.id, one]),
  )
  return rows.map((row) => {
    const use = uses.get(row.id)
    const mayEdit = use?.is_published_unread === false || mayDescribePublished(caller, row)
    return shown(row, [
      ...(mayEdit ? (['edit'] as const) : []),
      ...(use?.is_used ? [] : (['delete'] as const)),
    ])
  })
}

export async function shownOne(db: Database, caller: SignedIn, row: MediaRow): Promise<Media> {
  const [one] = await shownTo(db, caller, [row])
  return one ?? shown(row, [])
}

/** Returns a record as its managers see it. */
export const shown = (
  { sha256: _sha256, created_by: _author, slug, ...row }: MediaRow,
  can: Media['can'],
): Media => ({
  ...row,
  url: slug === null ? null : `${privateAddress}/${row.id}/${slug}.pdf`,
  src: srcOf(row.id, row.width ?? 0, privateAddress),
  can,
})
