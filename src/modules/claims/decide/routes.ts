import { settingsOf } from '../../../platform/config.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../../platform/http/listing/list-page.ts'
import { record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { listPresent } from '../../presence/queries.ts'
import { Claim } from '../schema.ts'
import { claimsSettings } from '../settings.ts'
import { countClaims, getClaim, listClaims, listUsersOfAddress } from './queries.ts'
import { decideClaim } from './rules.ts'
import { ById, ClaimRead, ClaimsQuery, DecidedClaim, Decision } from './schema.ts'

export function decideClaimRoutes(
  scope: SignedInScope,
  { db, jobs, config }: Pick<Deps, 'db' | 'jobs' | 'config'>,
): void {
  const { ttlDays } = settingsOf(config, claimsSettings)

  scope.get(
    '/admin/claims',
    {
      schema: {
        operationId: 'listClaims',
        summary: 'Claims, newest first, or as asked',
        querystring: ClaimsQuery,
        response: { 200: ListPage(Claim) },
      },
    },
    async ({ query }) =>
      listPage(query, {
        rows: (paging) => listClaims(db, query, ttlDays, paging),
        total: () => countClaims(db, query, ttlDays),
      }),
  )

  scope.get(
    '/admin/claims/:id',
    {
      schema: {
        operationId: 'getClaim',
        summary: 'Read a claim, with the users of its address',
        params: ById,
        response: { 200: record(ClaimRead) },
      },
    },
    async ({ params, caller }) => {
      const [claim, present] = await Promise.all([
        getClaim(db, params.id, ttlDays),
        listPresent(db, caller, { kind: 'claim', id: params.id }),
      ])
      const matching_users = claim.email === null ? [] : await listUsersOfAddress(db, claim.email)
      return { data: { ...claim, matching_users, present } }
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
