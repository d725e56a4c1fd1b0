import { settingsOf } from '../../../platform/config/config.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { numberedPage } from '../../../platform/http/listing/list-page.ts'
import { adminPerPage } from '../../../platform/http/listing/paging.ts'
import type { Deps } from '../../../platform/module.ts'
import { claimsSettings } from '../settings.ts'
import { claimsOf, findMissing } from './queries.ts'
import { OwnClaims, OwnClaimsQuery } from './schema.ts'

export function ownClaimsRoutes(scope: SignedInScope, { lists, config }: Deps): void {
  const { ttlDays } = settingsOf(config, claimsSettings)

  scope.get(
    '/me/claims',
    {
      schema: {
        operationId: 'listOwnClaims',
        summary: "List one's own claims with their outcome, newest first",
        querystring: OwnClaimsQuery,
        response: { 200: OwnClaims },
      },
    },
    async ({ query, caller: { user } }) => {
      const [{ data, meta }, missing] = await Promise.all([
        numberedPage(lists, claimsOf(user.id, ttlDays), query, adminPerPage),
        findMissing(lists, user.id),
      ])
      return { data, meta: { ...meta, missing } }
    },
  )
}
