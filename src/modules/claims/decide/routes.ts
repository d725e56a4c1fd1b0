import { settingsOf } from '../../../platform/config.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../../platform/http/paging.ts'
import { record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { listPresent } from '../../presence/queries.ts'
import { Claim } from '../schema.ts'
import { claimsSettings } from '../settings.ts'
import { addCanFor } from './authorise.ts'
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
        response: { 200: Page(Claim) },
      },
    },
    async ({ query, caller }) => {
      const paging = pagingOf(query, adminPerPage)
      const [rows, total, addCan] = await Promise.all([
        listClaims(db, query, ttlDays, paging),
        countClaims(db, query, ttlDays),
        addCanFor(db, caller.user),
      ])
      return page(rows.map(addCan), total, paging)
    },
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
      const [claim, addCan, present] = await Promise.all([
        getClaim(db, params.id, ttlDays),
        addCanFor(db, caller.user),
        listPresent(db, caller, { kind: 'claim', id: params.id }),
      ])
      const matching_users = claim.email === null ? [] : await listUsersOfAddress(db, claim.email)
      return { data: { ...addCan(claim), matching_users, present } }
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
