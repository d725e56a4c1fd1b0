import { requireKind } from '../../platform/access/record-kinds.ts'
import { notFound } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { recordExists } from '../notes/queries.ts'
import { listPresent, notePresence } from './queries.ts'
import { keptSeconds, Looking, Presence } from './schema.ts'

export function presenceRoutes(scope: SignedInScope, { db, reads }: Pick<Deps, 'db' | 'reads'>): void {
  scope.put(
    '/admin/presence',
    {
      config: { needs: 'record.open', refusals: ['not_found'] },
      schema: {
        operationId: 'setPresence',
        summary: `Note for ${keptSeconds} s that one looks at a record; answers who else does`,
        body: Looking,
        response: { 200: record(Presence) },
      },
    },
    async ({ body, caller }) => {
      requireKind(caller, body.kind)
      if (!(await recordExists(reads, body))) throw notFound()
      await notePresence(db, caller, body)
      return { data: { ...body, present: await listPresent(reads, caller, body) } }
    },
  )
}
