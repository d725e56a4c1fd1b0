import type { SignedInScope } from '../../../platform/http/http-server.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../schema.ts'
import { saveDraft } from './rules.ts'
import { DraftBody, SavedDraft } from './schema.ts'

export function draftRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.put(
    '/admin/messages/threads/:id/draft',
    {
      config: { refusals: ['conflict'] },
      schema: {
        operationId: 'saveSupportDraft',
        summary: "Store one's own draft of a reply; an empty one is deleted",
        params: ById,
        body: DraftBody,
        response: { 200: SavedDraft },
      },
    },
    async ({ params, body, caller }) => ({ data: await saveDraft(db, caller, params.id, body.body) }),
  )
}
