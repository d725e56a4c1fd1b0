import { type RawBuilder, sql } from 'kysely'
import { userNameOf } from '../../platform/access/users.ts'
import { columnList } from '../../platform/database/columns.ts'
import { allOf, among } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Paging } from '../../platform/http/paging.ts'
import { type AuditQuery, type AuditRow, storedAudit } from './schema.ts'

export async function listAudit(
  db: Database,
  query: AuditQuery,
  { limit, offset }: Paging,
): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    select ${columnList(storedAudit)}, ${userNameOf(sql`audit_log.user_id`)} as "user" from audit_log where ${matching(query)}
    order by ${orders[query.sort ?? 'at_desc']} limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countAudit(db: Database, query: AuditQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from audit_log where ${matching(query)}`.execute(db)
  return rows[0]?.total ?? 0
}

const orders: Record<NonNullable<AuditQuery['sort']>, RawBuilder<unknown>> = {
  at_desc: sql`at desc, id desc`,
  at_asc: sql`at, id`,
}

function matching({ ids, entity, entity_id, user_id, action, since, until }: AuditQuery) {
  return allOf(
    among('id', ids),
    among('entity', entity),
    // Stored in lower case, as the database writes ids.
    entity_id !== undefined && sql`entity_id = ${entity_id.toLowerCase()}`,
    user_id !== undefined && sql`user_id = ${user_id}`,
    among('action', action),
    since !== undefined && sql`at >= ${new Date(since)}`,
    until !== undefined && sql`at < ${new Date(until)}`,
  )
}
