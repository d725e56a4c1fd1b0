import { privateAddress } from './images.ts'
import type { MediaRow } from './queries.ts'
import { type Media, srcOf } from './schema.ts'

/** Returns a record as its managers see it. */
export const shown = ({ sha256: _sha256, created_by: _author, slug, ...row }: MediaRow): Media => ({
  ...row,
  url: slug === null ? null : `${privateAddress}/${row.id}/${slug}.pdf`,
  src: srcOf(row.id, row.width ?? 0, privateAddress),
})
