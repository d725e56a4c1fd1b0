import Type from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import { withCanOf } from '../../platform/access/rules.ts'
import { change } from '../../platform/change.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import {
  nullable,
  oneOf,
  optionalBody,
  record,
  strictObject,
} from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { getThread, type ThreadValues } from './queries.ts'
import { thread } from './record.ts'
import { ById, flags, Thread, threadActions } from './schema.ts'

const FlagBody = strictObject({ flag: nullable(oneOf(flags)) })

const CloseBody = optionalBody(
  strictObject({
    closed: Type.Optional(
      Type.Boolean({ description: '`false` opens it again', default: true, examples: [true] }),
    ),
  }),
)

const withCan = withCanOf(threadActions)

export function threadStatesRoutes(scope: SignedInScope, { db }: Deps): void {
  const set = async (caller: SignedIn, id: string, action: string, values: ThreadValues) => ({
    data: await change(db, caller, thread, { id, action }, async (tx, _before, save) => {
      await save(values)
      return withCan(await getThread(tx, id))
    }),
  })
  const changes = (audits: string) => ({ audits, refusals: ['precondition_failed'] })
  const answers = { params: ById, response: { 200: record(Thread) } }

  scope.patch(
    '/admin/messages/threads/:id/read',
    {
      config: changes('thread.read'),
      schema: { operationId: 'markSupportThreadRead', summary: 'Mark a support thread as read', ...answers },
    },
    async ({ params, caller }) => set(caller, params.id, 'thread.read', { unread: false }),
  )

  scope.patch(
    '/admin/messages/threads/:id/unread',
    {
      config: changes('thread.unread'),
      schema: {
        operationId: 'markSupportThreadUnread',
        summary: 'Mark a support thread as unread',
        ...answers,
      },
    },
    async ({ params, caller }) => set(caller, params.id, 'thread.unread', { unread: true }),
  )

  scope.patch(
    '/admin/messages/threads/:id/flag',
    {
      config: changes('thread.flag'),
      schema: {
        operationId: 'flagSupportThread',
        summary: 'Give a support thread a flag of some colour, or none',
        body: FlagBody,
        ...answers,
      },
    },
    async ({ params, body, caller }) => set(caller, params.id, 'thread.flag', { flag: body.flag }),
  )

  scope.patch(
    '/admin/messages/threads/:id/close',
    {
      config: changes('thread.close'),
      schema: {
        operationId: 'closeSupportThread',
        summary: 'Close a support thread, or open it again',
        body: CloseBody,
        ...answers,
      },
    },
    async ({ params, body, caller }) =>
      set(caller, params.id, 'thread.close', { status: body?.closed === false ? 'open' : 'closed' }),
  )
}
