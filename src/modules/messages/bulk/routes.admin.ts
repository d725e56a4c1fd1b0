import type { SignedInScope } from '../../../platform/http/http-server.ts'
import type { Deps } from '../../../platform/module.ts'
import { changeBulk } from './rules.ts'
import { BulkAnswer, BulkChange } from './schema.ts'

export function bulkRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.patch(
    '/admin/messages/threads/bulk',
    {
      config: { audits: 'thread.close, thread.read, thread.unread, thread.flag, thread.assign' },
      schema: {
        operationId: 'changeSupportThreads',
        summary: 'The same changes of up to a hundred support threads, all or nothing',
        body: BulkChange,
        response: { 200: BulkAnswer },
      },
    },
    async ({ body, caller }) => changeBulk(db, caller, body),
  )
}
