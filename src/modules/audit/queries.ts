import { type RawBuilder, sql } from 'kysely'
import { userNameOf } from '../../platform/access/users.ts'
import { columnList } from '../../platform/database/columns.ts'
import { among, equals } from '../../platform/database/conditions.ts'
import { byId } from '../../platform/database/sort-order.ts'
import type { List } from '../../platform/http/listing/list.ts'
import type { AuditQuery, SelectedAudit } from './schema.ts'
import { storedAudit } from './schema.ts'
import { type Searched, storedId } from './search.ts'

/**
 * The audit log. A search takes the first entries of each action, author and record that it found: each walks its own
 * index in the order of the list, so a rare match among millions of entries costs no more than a frequent one.
 */
export const auditList = (searched: Searched | null = null): List<AuditQuery, SelectedAudit> => ({
  name: 'audit',
  from: sql`audit_log`,
  as: 'audit_log',
  filters: {
    ids: among('id'),
    q: () =>
      searched !== null &&
      sql`(action = any(${searched.actions}::text[]) or user_id = any(${searched.userIds}::uuid[])
        or entity_id = any(${searched.entityIds}::text[]))`,
    entity: among('entity'),
    entity_id: (id) => sql`entity_id = ${storedId(id)}`,
    user_id: equals('user_id'),
    action: among('action'),
    request_id: equals('request_id'),
    since: (since) => sql`at >= ${new Date(since)}`,
    until: (until) => sql`at < ${new Date(until)}`,
  },
  sorts: { at: [{ by: sql`at`, type: 'time' }, byId] },
  defaults: { sort: 'at_desc' },
  columns: sql<SelectedAudit>`${columnList(storedAudit)}, ${userNameOf(sql`audit_log.user_id`)} as "user"`,
  ...(searched !== null && {
    first: (matches, by, limit) => {
      const of = (column: string, values: RawBuilder<unknown>) => sql`
        select l.* from unnest(${values}) v (value) cross join lateral (
          select * from audit_log where ${sql.ref(column)} = v.value and ${matches} order by ${by} limit ${limit}) l`
      return sql`
        ${of('action', sql`${searched.actions}::text[]`)}
        union ${of('user_id', sql`${searched.userIds}::uuid[]`)}
        union ${of('entity_id', sql`${searched.entityIds}::text[]`)}`
    },
  }),
})
