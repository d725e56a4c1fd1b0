import { settingsOf } from '../../../platform/config.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, page, pagingOf } from '../../../platform/http/paging.ts'
import type { Deps } from '../../../platform/module.ts'
import { claimsSettings } from '../settings.ts'
import { countClaimsOf, findMissing, listClaimsOf } from './queries.ts'
import { OwnClaims, OwnClaimsQuery } from './schema.ts'

export function ownClaimsRoutes(
  scope: SignedInScope,
  { lists, config }: Pick<Deps, 'lists' | 'config'>,
): void {
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
      const paging = pagingOf(query, adminPerPage)
      const [rows, total, missing] = await Promise.all([
        listClaimsOf(lists, user.id, ttlDays, paging),
        countClaimsOf(lists, user.id),
        findMissing(lists, user.id),
      ])
      const { data, meta } = page(rows, total, paging)
      return { data, meta: { ...meta, missing } }
    },
  )
}
