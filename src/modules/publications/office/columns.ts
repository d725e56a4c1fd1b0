import { sql } from 'kysely'
import { userNameOf } from '../../../platform/access/users.ts'
import { jsonTime } from '../../../platform/database/columns.ts'
import { managedColumns } from '../columns.ts'

/** The columns of a row of the back-office's list, over `publicationTables`. */
export const listedColumns = sql`${managedColumns}, p.created_by,
  ${userNameOf(sql`p.created_by`)} as created_by_user,
  (select json_build_object('id', s.id, 'nom', s.nom) from import_items i join import_sources s on s.id = i.source_id
    where i.publication_id = p.id) as source,
  (select json_build_object('open', count(*),
      'categories', coalesce(json_agg(distinct r.category) filter (where r.category is not null), '[]'),
      'latest_at', ${jsonTime(sql`max(r.created_at)`)})
    from publication_reports r where r.publication_id = p.id and r.closed_at is null) as reports_summary`
