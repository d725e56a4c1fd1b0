import { sql } from 'kysely'
import type { Selection } from '../bulk-decisions.ts'

type Period = { sourceId: string; since: string | null; until: string }

/** The publications that a source imported within a period and that are not rejected. */
export const imported = ({ sourceId, since, until }: Period): Selection => sql`
  import_items i join publications p on p.id = i.publication_id
  where i.source_id = ${sourceId} and p.deleted_at is null and p.moderation_status <> 'rejected'
    and p.created_at <= ${until}::timestamptz and p.created_at >= coalesce(${since}::timestamptz, '-infinity')`
