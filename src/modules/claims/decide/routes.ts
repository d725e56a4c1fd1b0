import { settingsOf } from '../../../platform/config/config.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../../platform/http/listing/list-page.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById, Claim } from '../schema.ts'
import { claimsSettings } from '../settings.ts'
import { addCanFor } from './authorise.ts'
import { claimsList } from './queries.ts'
import { decideClaim } from './rules.ts'
import { ClaimsQuery, DecidedClaim, Decision } from './schema.ts'

export function decideClaimRoutes(scope: SignedInScope, { db, lists, jobs, config }: Deps): void {
  const { ttlDays } = settingsOf(config, claimsSettings)

  scope.get(
    '/admin/claims',
    {
      schema: {
        operationId: 'listClaims',
        summary: 'List claims, newest first by default',
        querystring: ClaimsQuery,
        response: { 200: ListPage(Claim) },
      },
    },
    async ({ query, caller }) => {
      const addCan = addCanFor(lists, caller.user)
      return listPage(lists, claimsList(ttlDays), query, async (rows) => rows.map(await addCan))
    },
  )

  scope.patch(
    '/admin/claims/:id',
    {
      config: {
        refusals: ['forbidden', 'precondition_failed', 'claim_already_decided', 'conflict'],
        audits: 'claim.decide',
        needs: ['claim.decide', 'claim.decide_on_mairie', 'claim.name_owner'],
      },
      schema: {
        operationId: 'decideClaim',
        summary: 'Decide a claim; approving makes the claimant an owner of the acteur',
        params: ById,
        body: Decision,
        response: { 200: record(DecidedClaim) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await decideClaim({ db, jobs, ttlDays }, caller, params.id, body),
    }),
  )
}
