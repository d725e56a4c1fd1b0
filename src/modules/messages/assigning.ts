import { sql } from 'kysely'
import { opens, roles } from '../../platform/access/areas.ts'
import { withCanOf } from '../../platform/access/rules.ts'
import { change } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { Id, list, nullable, record, strictObject, UserName } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { getThread } from './queries.ts'
import { thread } from './record.ts'
import { ById, Thread, threadActions } from './schema.ts'

const AssigneeBody = strictObject({
  user_id: nullable(Id('The colleague who handles the thread; null: nobody')),
})

const withCan = withCanOf(threadActions)
const _read = (tx: Database, { id }: { id: string }) => getThread(tx, id)

export function assigningRoutes(scope: SignedInScope, { db, lists }: Deps): void {
  scope.get(
    '/admin/messages/colleagues',
    {
      config: { load: 'list' },
      schema: {
        operationId: 'listSupportColleagues',
        summary: 'Colleagues who can handle support threads, by name',
        response: { 200: list(UserName) },
      },
    },
    async () => ({ data: await listColleagues(lists) }),
  )

  scope.put(
    '/admin/messages/threads/:id/assignee',
    {
      config: { audits: 'thread.assign', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'assignSupportThread',
        summary: 'Say which colleague handles a support thread, or that nobody does',
        params: ById,
        body: AssigneeBody,
        response: { 200: record(Thread) },
      },
    },
    async ({ params, body: { user_id }, caller }) => {
      const asked = { id: params.id, action: 'thread.assign' }
      const assigned = await change(db, caller, thread, asked, async (tx, _before, save) => {
        await requireColleague(tx, 'user_id', user_id)
        await save({ assignee_id: user_id })
        return getThread(tx, params.id)
      })
      return { data: withCan(assigned) }
    },
  )
}

/** Requires a colleague who may open the inbox, or nobody; 422 otherwise. */
export async function requireColleague(tx: Database, field: string, userId: string | null): Promise<void> {
  if (userId !== null && !(await canHandle(tx, userId))) throw invalid(field, unable)
}

const unable = {
  en: 'is not a colleague who may open messages',
  fr: 'n’est pas un compte qui peut ouvrir les messages',
}

type Colleague = { id: string; nom: string | null }

const opening = roles.filter((role) => opens([role], 'messages'))

const handles = sql`u.actif and u.erased_at is null and u.id in (
  select user_id from user_roles where role = any(${sql.val(opening)}::text[]))`

/** Lists the colleagues whose roles open the inbox, by name; at most 200. */
async function listColleagues(db: Database): Promise<Colleague[]> {
  const { rows } = await sql<Colleague>`
    select u.id, u.nom from users u where ${handles} order by lower(u.nom), u.id limit 200`.execute(db)
  return rows
}

/** Returns whether this user exists, is enabled, and has a role that opens the inbox. */
async function canHandle(db: Database, userId: string): Promise<boolean> {
  const { rows } = await sql`select from users u where u.id = ${userId} and ${handles}`.execute(db)
  return rows.length > 0
}
