import { settingsOf } from '../../../platform/config/config.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { listPresent } from '../../presence/queries.ts'
import { addCanFor } from '../decide/authorise.ts'
import { getClaim } from '../decide/queries.ts'
import { listQuestions } from '../question/queries.ts'
import { ById } from '../schema.ts'
import { claimsSettings } from '../settings.ts'
import { emailMatchesSite } from './email-matches-site.ts'
import { getClaimedActeur, listOtherClaims, listUsersOfAddress } from './queries.ts'
import { ClaimRead } from './schema.ts'

export function readClaimRoutes(scope: SignedInScope, { reads, config }: Deps): void {
  const { ttlDays } = settingsOf(config, claimsSettings)

  scope.get(
    '/admin/claims/:id',
    {
      schema: {
        operationId: 'getClaim',
        summary:
          'Read a claim with what speaks for it: the acteur, its members, other claims on it, questions',
        params: ById,
        response: { 200: record(ClaimRead) },
      },
    },
    async ({ params: { id }, caller }) => {
      const [claim, addCan, { acteur, members, owning_address }, others, questions, present] =
        await Promise.all([
          getClaim(reads, id, ttlDays),
          addCanFor(reads, caller.user),
          getClaimedActeur(reads, id),
          listOtherClaims(reads, id, ttlDays),
          listQuestions(reads, id),
          listPresent(reads, caller, { kind: 'claim', id }),
        ])
      const matching_users = claim.email === null ? [] : await listUsersOfAddress(reads, claim.email)
      return {
        data: {
          ...addCan(claim),
          acteur,
          members,
          owning_address,
          email_matches_site: emailMatchesSite(owning_address, acteur.site_web),
          rivals: others.filter(({ status }) => status === 'pending'),
          earlier_claims: others.filter(({ status }) => status !== 'pending'),
          questions,
          matching_users,
          present,
        },
      }
    },
  )
}
