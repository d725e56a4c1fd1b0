import type { Database } from '../../platform/database/connect.ts'
import type { Paging } from '../../platform/http/paging.ts'
import type { AuditQuery } from './schema.ts'

export async function listAudit(db: Database, query: AuditQuery, { limit, offset }: Paging) {
  return matching(db, query)
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

export async function countAudit(db: Database, query: AuditQuery): Promise<number> {
  const { total } = await matching(db, query)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

function matching(db: Database, { entity, entity_id, user_id, action, since, until }: AuditQuery) {
  let query = db.selectFrom('audit_log')
  if (entity !== undefined) query = query.where('entity', '=', entity)
  // Kept as the database writes ids, in lower case.
  if (entity_id !== undefined) query = query.where('entity_id', '=', entity_id.toLowerCase())
  if (user_id !== undefined) query = query.where('user_id', '=', user_id)
  if (action !== undefined) query = query.where('action', '=', action)
  if (since !== undefined) query = query.where('at', '>=', new Date(since))
  if (until !== undefined) query = query.where('at', '<', new Date(until))
  return query
}
