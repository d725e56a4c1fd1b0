import type { ListedRow } from './lists/queries.ts'
import type { ListedPublication } from './lists/schema.ts'
import { presentManaged } from './present.ts'

/** Duplicates say why they are listed, and how many there are. */
export function presentListed({ duplicate_count, ...row }: ListedRow): ListedPublication {
  if (duplicate_count === undefined) return presentManaged(row)
  const { duplicate_key } = row
  const duplicate_reason = duplicate_key.startsWith('u:') ? 'source_url' : 'signature'
  return { ...presentManaged(row), duplicate_key, duplicate_reason, duplicate_count }
}
