import { settingsOf } from '../../../platform/config/config.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { noBody, record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById, Claim } from '../schema.ts'
import { claimsSettings } from '../settings.ts'
import { askClaimant, resumeClaim } from './rules.ts'
import { ClaimQuestion, QuestionBody } from './schema.ts'

export function questionRoutes(scope: SignedInScope, { db, jobs, config }: Deps): void {
  const { ttlDays } = settingsOf(config, claimsSettings)

  scope.post(
    '/admin/claims/:id/question',
    {
      config: {
        audits: 'claim.question',
        needs: 'claim.question',
        refusals: [
          'forbidden',
          'precondition_failed',
          'claim_already_decided',
          'claim_unreachable',
          'conflict',
        ],
        location: '/admin/claims/:id',
      },
      schema: {
        operationId: 'askClaimant',
        summary:
          'Ask the claimant by mail; answers go to SUPPORT_REPLY_TO. The first question lets the expiry wait, 14 days at most',
        params: ById,
        body: QuestionBody,
        response: { 201: record(ClaimQuestion) },
      },
    },
    async ({ params, body, caller }, reply) =>
      reply.code(201).send({ data: await askClaimant({ db, jobs, ttlDays }, caller, params.id, body) }),
  )

  scope.post(
    '/admin/claims/:id/resume',
    {
      config: {
        audits: 'claim.resume',
        needs: 'claim.question',
        refusals: ['forbidden', 'precondition_failed', 'claim_already_decided', 'conflict'],
      },
      schema: {
        operationId: 'resumeClaim',
        summary: 'End the wait for an answer: the time until the claim expires goes on',
        params: ById,
        body: noBody,
        response: { 200: record(Claim) },
      },
    },
    async ({ params, caller }) => ({ data: await resumeClaim({ db, ttlDays }, caller, params.id) }),
  )
}
