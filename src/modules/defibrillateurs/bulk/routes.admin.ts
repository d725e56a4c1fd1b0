import type { SignedInScope } from '../../../platform/http/http-server.ts'
import type { Deps } from '../../../platform/module.ts'
import { setStatuts } from './rules.ts'
import { BulkAnswer, BulkStatut } from './schema.ts'

export function bulkRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.patch(
    '/admin/defibrillateurs-france/bulk',
    {
      config: { audits: 'defibrillateur.update' },
      schema: {
        operationId: 'updateFranceDefibrillateurs',
        summary: 'Set the national status of up to a hundred defibrillators, all or nothing',
        body: BulkStatut,
        response: { 200: BulkAnswer },
      },
    },
    async ({ body, caller }) => setStatuts(db, caller, body),
  )
}
