import { withCanOf } from '../../../platform/access/rules.ts'
import { change } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import {
  Id,
  list,
  nullable,
  record,
  strictObject,
  UserName,
} from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { getThread } from '../queries.ts'
import { thread } from '../record.ts'
import { ById, Thread, threadActions } from '../schema.ts'
import { listColleagues } from './queries.ts'
import { requireColleague } from './rules.ts'

const AssigneeBody = strictObject({
  user_id: nullable(Id('The colleague who handles the thread; null: nobody')),
})

const withCan = withCanOf(threadActions)
const read = (tx: Database, { id }: { id: string }) => getThread(tx, id)

export function assigningRoutes(scope: SignedInScope, { db, lists }: Deps): void {
  scope.get(
    '/admin/messages/colleagues',
    {
      config: { isList: true },
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
      const asked = { id: params.id, action: 'thread.assign', read }
      const assigned = await change(db, caller, thread, asked, async (tx) => {
        await requireColleague(tx, 'user_id', user_id)
        return { assignee_id: user_id }
      })
      return { data: withCan(assigned) }
    },
  )
}
