import type { Database } from '../../../platform/database/connect.ts'
import { notFound, unavailable } from '../../../platform/errors.ts'
import { type ObjectStore, StoreFailed } from './object-store.ts'
import { findVariant, type VariantKey } from './queries.ts'

/** Where the bytes of pictures and documents are read: the rows, and the store that some of them name. */
export type MediaBytes = { reads: Database; store: ObjectStore | null }

/** Returns the bytes of a variant, or a part of them; 404 if it does not exist, 503 while the store fails. */
export async function readVariant(
  { reads, store }: MediaBytes,
  key: VariantKey,
  part: { first: number; length: number } | null = null,
): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    const row = await findVariant(reads, key, part)
    if (row === undefined) throw notFound()
    if (row.content !== null) return row.content
    if (store === null) throw unavailable('bytes are in a store, and MEDIA_URL is not set')
    try {
      return await store.read(row.object, part ?? undefined)
    } catch (error) {
      if (!(error instanceof StoreFailed)) throw error
      // It may have been moved between the two reads.
      if (error.reason !== 'missing' || attempt > 1) throw unavailable(error)
    }
  }
}
