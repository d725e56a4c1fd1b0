import type { AlerteRow } from './queries.ts'
import type { Alerte } from './schema.ts'

export function presentAlerte({ created_by, ...row }: AlerteRow): Alerte {
  return {
    ...row,
    niveau: row.niveau as Alerte['niveau'],
    debut: row.debut?.toISOString() ?? null,
    fin: row.fin?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
