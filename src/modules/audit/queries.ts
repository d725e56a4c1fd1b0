import { type RawBuilder, sql } from 'kysely'
import { userNameOf } from '../../platform/access/users.ts'
import { columnList } from '../../platform/database/columns.ts'
import { allOf, among } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId, sortOrders } from '../../platform/database/sort-order.ts'
import { type Placed, readSlice, type Slice } from '../../platform/http/listing/slice.ts'
import type { Paging } from '../../platform/http/paging.ts'
import type { AuditQuery, SelectedAudit } from './schema.ts'
import { storedAudit } from './schema.ts'
import type { Searched } from './search.ts'

export function listAudit(
  db: Database,
  query: AuditQuery,
  paging: Paging,
  searched: Searched | null = null,
): Promise<Slice<SelectedAudit>> {
  const order = orders[query.sort ?? 'at_desc']
  return readSlice<SelectedAudit>(paging, order, async ({ after, limit, offset }) => {
    const matches = allOf(matching(query), after)
    const rowsBy = sql`order by ${order.by} limit ${limit} offset ${offset}`
    const { rows } = await sql<SelectedAudit & Placed>`
      select ${columnList(storedAudit)}, ${userNameOf(sql`audit_log.user_id`)} as "user", ${order.values} from audit_log
      where ${
        searched === null
          ? matches
          : sql`id in (
        select id from (${searchedIds(searched, matches, sql`order by ${order.by} limit ${limit + offset}`)}) found
        ${rowsBy})`
      }
      ${searched === null ? rowsBy : sql`order by ${order.by}`}`.execute(db)
    return rows
  })
}

/**
 * Selects the first matches of each action, author and record searched for. Each walks its own index in the order of
 * the list, so a rare match among millions of entries costs no more than a frequent one.
 */
function searchedIds(
  { actions, userIds, entityIds }: Searched,
  matches: RawBuilder<boolean>,
  inOrder: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const first = (values: RawBuilder<unknown>, column: string) => sql`
    select l.id, l.at from unnest(${values}) as v (value)
    cross join lateral (
      select id, at from audit_log where ${sql.ref(column)} = v.value and ${matches} ${inOrder}) l`
  return sql`
    ${first(sql`${actions}::text[]`, 'action')}
    union ${first(sql`${userIds}::uuid[]`, 'user_id')}
    union ${first(sql`${entityIds}::text[]`, 'entity_id')}`
}

export async function countAudit(
  db: Database,
  query: AuditQuery,
  searched: Searched | null = null,
): Promise<number> {
  const found =
    searched !== null &&
    sql`(action = any(${searched.actions}::text[]) or user_id = any(${searched.userIds}::uuid[])
      or entity_id = any(${searched.entityIds}::text[]))`
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from audit_log where ${allOf(matching(query), found)}`.execute(db)
  return rows[0]?.total ?? 0
}

const orders = sortOrders('audit', { at: [{ by: sql`at`, type: 'time' }, byId] })

function matching({ ids, entity, entity_id, user_id, action, request_id, since, until }: AuditQuery) {
  return allOf(
    among('id', ids),
    among('entity', entity),
    // The database stores ids in lower case.
    entity_id !== undefined && sql`entity_id = ${entity_id.toLowerCase()}`,
    user_id !== undefined && sql`user_id = ${user_id}`,
    among('action', action),
    request_id !== undefined && sql`request_id = ${request_id}`,
    since !== undefined && sql`at >= ${new Date(since)}`,
    until !== undefined && sql`at < ${new Date(until)}`,
  )
}
