import { sql } from 'kysely'
import { userNameOf } from '../../platform/access/users.ts'
import { columnList } from '../../platform/database/columns.ts'
import { allOf, among } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId, sortOrders } from '../../platform/database/sort-order.ts'
import { type Placed, readSlice, type Slice } from '../../platform/http/listing/slice.ts'
import type { Paging } from '../../platform/http/paging.ts'
import { type AuditQuery, type AuditRow, storedAudit } from './schema.ts'

export function listAudit(db: Database, query: AuditQuery, paging: Paging): Promise<Slice<AuditRow>> {
  const order = orders[query.sort ?? 'at_desc']
  return readSlice<AuditRow>(paging, order, async ({ after, limit, offset }) => {
    const { rows } = await sql<AuditRow & Placed>`
      select ${columnList(storedAudit)}, ${userNameOf(sql`audit_log.user_id`)} as "user", ${order.values} from audit_log
      where ${allOf(matching(query), after)}
      order by ${order.by} limit ${limit} offset ${offset}`.execute(db)
    return rows
  })
}

export async function countAudit(db: Database, query: AuditQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from audit_log where ${matching(query)}`.execute(db)
  return rows[0]?.total ?? 0
}

const orders = sortOrders('audit', { at: [{ by: sql`at`, type: 'time' }, byId] })

function matching({ ids, entity, entity_id, user_id, action, since, until }: AuditQuery) {
  return allOf(
    among('id', ids),
    among('entity', entity),
    // The database stores ids in lower case.
    entity_id !== undefined && sql`entity_id = ${entity_id.toLowerCase()}`,
    user_id !== undefined && sql`user_id = ${user_id}`,
    among('action', action),
    since !== undefined && sql`at >= ${new Date(since)}`,
    until !== undefined && sql`at < ${new Date(until)}`,
  )
}
