import type { Deps } from '../../platform/deps.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../platform/http/paging.ts'
import { one } from '../../platform/http/schemas.ts'
import { decideClaim } from './decision.ts'
import { presentClaim } from './present.ts'
import { countClaims, getClaim, listClaims } from './queries.admin.ts'
import { ById, Claim, ClaimsQuery, Decision } from './schema.ts'

const tags = ['claims']

export function claimsAdminRoutes(
  scope: HttpServer,
  { db, jobs, config }: Pick<Deps, 'db' | 'jobs' | 'config'>,
): void {
  const { ttlDays } = config.claims

  scope.get(
    '/admin/claims',
    {
      config: { area: 'claims' },
      schema: {
        operationId: 'listClaims',
        summary: 'Claims, newest first',
        tags,
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
        area: 'claims',
        refusals: ['forbidden', 'precondition_failed', 'claim_already_decided', 'conflict'],
      },
      schema: {
        operationId: 'decideClaim',
        summary: 'Decide a claim; approving makes the claimant an owner of the acteur',
        tags,
        params: ById,
        body: Decision,
        response: { 200: one(Claim) },
      },
    },
    async ({ params, body, caller }) => {
      await decideClaim({ db, jobs, ttlDays }, caller, params.id, body)
      return { data: presentClaim(await getClaim(db, params.id, ttlDays)) }
    },
  )
}
