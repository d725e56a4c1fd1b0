import { settingsOf } from '../../../platform/config/config.ts'
import { unauthenticated } from '../../../platform/errors.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { claimsSettings } from '../settings.ts'
import { submitClaim } from './rules.ts'
import { ClaimCreate, SubmittedClaim } from './schema.ts'

export function submitClaimRoutes(scope: HttpServer, { db, config }: Deps): void {
  const { requireBearer, ttlDays } = settingsOf(config, claimsSettings)

  scope.post(
    '/claims',
    {
      config: {
        limit: 'claim',
        refusals: ['unauthenticated', 'not_found', 'claim_conflict'],
        audits: 'claim.create',
        location: '/admin/claims/{id}',
      },
      // Runs after the audience's checks, which have verified any token of the request.
      onRequest: async ({ caller }) => {
        if (requireBearer && caller.user === null) throw unauthenticated()
      },
      schema: {
        operationId: 'createClaim',
        description: 'Where CLAIMS_REQUIRE_BEARER is true, only with a token.',
        summary: 'Ask to take over an acteur; a token, when there is one, says who asks',
        body: ClaimCreate,
        response: { 201: record(SubmittedClaim) },
      },
    },
    async ({ body, caller }, reply) =>
      reply.code(201).send({ data: await submitClaim(db, caller, body, ttlDays) }),
  )
}
