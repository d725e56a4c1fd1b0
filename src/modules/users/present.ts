import type { UserRow } from './queries.ts'
import type { User } from './schema.ts'

export function presentUser({ tokens_valid_from, ...row }: UserRow): User {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at?.toISOString() ?? null,
  }
}
