import type { ActeurRow } from './queries.ts'
import type { Acteur } from './schema.ts'

export function presentActeur(row: ActeurRow): Acteur {
  return {
    ...row,
    type: row.type as Acteur['type'],
    deleted_at: row.deleted_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
