import { settingsOf } from '../../../platform/config.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../../platform/http/paging.ts'
import type { Deps } from '../../../platform/module.ts'
import { claimsSettings } from '../settings.ts'
import { countClaimsOf, listClaimsOf } from './queries.ts'
import { OwnClaim, OwnClaimsQuery } from './schema.ts'

export function ownClaimsRoutes(scope: SignedInScope, { db, config }: Pick<Deps, 'db' | 'config'>): void {
  const { ttlDays } = settingsOf(config, claimsSettings)

  scope.get(
    '/me/claims',
    {
      schema: {
        operationId: 'listOwnClaims',
        summary: 'What one has claimed, newest first, and what became of it',
        querystring: OwnClaimsQuery,
        response: { 200: Page(OwnClaim) },
      },
    },
    async ({ query, caller: { user } }) => {
      const paging = pagingOf(query, adminPerPage)
      const [rows, total] = await Promise.all([
        listClaimsOf(db, user.id, ttlDays, paging),
        countClaimsOf(db, user.id),
      ])
      return page(rows, total, paging)
    },
  )
}
