import { requireKind, requireRecord } from '../../platform/access/record-kinds.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { listPresent, notePresence } from './queries.ts'
import { keptSeconds, Looking, Presence } from './schema.ts'

export function presenceRoutes(scope: SignedInScope, { db, reads }: Deps): void {
  scope.put(
    '/admin/presence',
    {
      config: { needs: 'record.open', refusals: ['not_found'] },
      schema: {
        operationId: 'setPresence',
        summary: `Mark a record as being viewed for ${keptSeconds} s; returns the other viewers`,
        body: Looking,
        response: { 200: record(Presence) },
      },
    },
    async ({ body, caller }) => {
      requireKind(caller, body.kind)
      await requireRecord(reads, body)
      await notePresence(db, caller, body)
      return { data: { ...body, present: await listPresent(reads, caller, body) } }
    },
  )
}
