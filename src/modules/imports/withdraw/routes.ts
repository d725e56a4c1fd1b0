import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../schema.ts'
import { withdrawPublications } from './rules.ts'
import { Withdrawal, WithdrawBody } from './schema.ts'

export function withdrawRoutes(scope: SignedInScope, { db, jobs }: Deps): void {
  scope.post(
    '/admin/import-sources/:id/withdraw',
    {
      config: {
        audits: 'import_source.withdraw',
        refusals: ['precondition_failed', 'import_in_progress'],
      },
      schema: {
        operationId: 'withdrawImportSource',
        summary: 'Reject what a source has published, all of it or since a moment, in the background',
        params: ById,
        body: WithdrawBody,
        response: { 202: record(Withdrawal) },
      },
    },
    async ({ params, body, caller }, reply) =>
      reply.code(202).send({ data: await withdrawPublications({ db, jobs }, caller, params.id, body) }),
  )
}
