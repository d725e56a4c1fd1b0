import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById, ByThreadAndId, Message } from '../schema.ts'
import { reply } from './rules.ts'
import { ReplyBody } from './schema.ts'
import { undoReply } from './undo.ts'

export function replyRoutes(scope: SignedInScope, { db, jobs, config }: Deps): void {
  const tools = { db, jobs, mailFrom: config.mail.from }

  scope.post(
    '/admin/messages/threads/:id/reply',
    {
      config: {
        audits: 'thread.reply',
        refusals: ['conflict', 'precondition_failed'],
        location: '/admin/messages/threads/:id/messages',
      },
      schema: {
        operationId: 'replyToSupportThread',
        summary: 'Reply by e-mail, which marks the thread as read and opens it; or send a message again',
        params: ById,
        body: ReplyBody,
        response: { 201: record(Message) },
      },
    },
    async ({ params, body, caller }, answer) =>
      answer.code(201).send({ data: await reply(tools, caller, params.id, body) }),
  )

  scope.delete(
    '/admin/messages/threads/:threadId/messages/:id',
    {
      config: { audits: 'thread.delete_message', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'deleteSupportMessage',
        summary:
          'Undo a reply whose mail is still queued: it never leaves, and becomes a draft of its author',
        description:
          'A draft that the author has begun since keeps its text, followed by a blank line and the text of the reply, which is cut where the draft would be too long. The response has all of it.',
        params: ByThreadAndId,
        response: { 200: record(Message) },
      },
    },
    async ({ params, caller }) => ({ data: await undoReply(db, caller, params) }),
  )
}
