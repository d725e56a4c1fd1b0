import type { HttpServer } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { receiveMessage } from './rules.ts'
import { MessageCreate, ReceivedMessage } from './schema.ts'

export function writeMessageRoutes(scope: HttpServer, { db, config }: Deps): void {
  scope.post(
    '/support/messages',
    {
      config: {
        limit: 'support',
        refusals: ['unauthenticated'],
        audits: 'thread.create',
        location: '/admin/messages/threads/{id}',
      },
      schema: {
        operationId: 'createSupportMessage',
        summary: 'Write to the support; a token, when there is one, says who writes',
        body: MessageCreate,
        response: { 201: record(ReceivedMessage) },
      },
    },
    async ({ body, caller }, reply) =>
      reply.code(201).send({ data: await receiveMessage(db, caller, body, config.mail.from) }),
  )
}
