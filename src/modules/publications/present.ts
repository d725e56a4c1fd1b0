import type { PublicationRow } from './columns.ts'
import type { ManagedPublication, Publication } from './schema.ts'

export function presentPublication(row: PublicationRow): Publication {
  const { moderation_reason, deleted_at, version, duplicate_key, reports_open, ...shown } = row
  return {
    ...shown,
    titre: row.title,
    status: row.moderation_status,
    publie_le: row.publie_le?.toISOString() ?? null,
    featured_until: row.featured_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export function presentManaged(row: PublicationRow): ManagedPublication {
  return {
    ...presentPublication(row),
    moderation_reason: row.moderation_reason,
    deleted_at: row.deleted_at?.toISOString() ?? null,
    reports_open: row.reports_open,
    version: row.version,
  }
}
