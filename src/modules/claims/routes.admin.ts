import { settingsOf } from '../../platform/config.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../platform/http/paging.ts'
import { record } from '../../platform/http/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { decideClaim } from './decision.ts'
import { presentClaim } from './present.ts'
import { countClaims, getClaim, listClaims } from './queries.admin.ts'
import { ById, Claim, ClaimsQuery, Decision } from './schema.ts'
import { claimsSettings } from './settings.ts'

export function claimsAdminRoutes(
  scope: SignedInScope,
  { db, jobs, config }: Pick<Deps, 'db' | 'jobs' | 'config'>,
): void {
  const { ttlDays } = settingsOf(config, claimsSettings)

  scope.get(
    '/admin/claims',
    {
      schema: {
        operationId: 'listClaims',
        summary: 'Claims, newest first',
        querystring: ClaimsQuery,
        response: { 200: Page(Claim) },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, adminPerPage)
      const [rows, total] = await Promise.all([
        listClaims(db, query, ttlDays, paging),
        countClaims(db, query, ttlDays),
      ])
      return page(rows.map(presentClaim), total, paging)
    },
  )

  scope.patch(
    '/admin/claims/:id',
    {
      config: {
        refusals: ['forbidden', 'precondition_failed', 'claim_already_decided', 'conflict'],
      },
      schema: {
        operationId: 'decideClaim',
        summary: 'Decide a claim; approving makes the claimant an owner of the acteur',
        params: ById,
        body: Decision,
        response: { 200: record(Claim) },
      },
    },
    async ({ params, body, caller }) => {
      await decideClaim({ db, jobs, ttlDays }, caller, params.id, body)
      return { data: presentClaim(await getClaim(db, params.id, ttlDays)) }
    },
  )
}
