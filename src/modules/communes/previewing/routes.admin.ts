import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { todayInParis } from '../../../platform/time/paris-time.ts'
import { previewCollecte } from './rules.ts'
import { CollectePreview, PreviewBody } from './schema.ts'

export function previewingRoutes(scope: SignedInScope, { reads, clock }: Deps) {
  scope.post(
    '/admin/communes/collectes/preview',
    {
      schema: {
        operationId: 'previewCollecte',
        summary: 'Next dates of a collecte that is not saved yet',
        body: PreviewBody,
        response: { 200: record(CollectePreview) },
      },
    },
    async ({ body }) => ({ data: await previewCollecte(reads, body, todayInParis(clock())) }),
  )
}
