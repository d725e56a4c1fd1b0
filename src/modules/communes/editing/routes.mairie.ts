import { isAdmin, type SignedIn } from '../../../platform/access/caller.ts'
import { rightOver } from '../../../platform/access/rules.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { forbidden, scopeViolation } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { communeRules } from '../permissions.ts'
import { ByCommune } from '../schema.ts'
import { readForMairie, readInOneMoment } from './full.ts'
import { updateCommune } from './rules.ts'
import { CommuneOfMairie, CommuneOfMairieUpdate } from './schema.ts'

const rules = [communeRules.editForMairie]

/** The routes by which a mairie reads and changes its commune, by the rules of the back-office. */
export function communeOfMairieRoutes(scope: SignedInScope, { db, reads, clock }: Deps): void {
  const readFor = (caller: SignedIn) => {
    const mayEdit = (mairieId: string | null, isActive: boolean) =>
      rightOver(caller.user, mairieId, rules) === 'allowed' && (isActive || isAdmin(caller.user))
    return (tx: Database, { id }: { id: string }) => readForMairie(tx, id, { now: clock(), mayEdit })
  }

  scope.get(
    '/mairie/communes/:communeId',
    {
      schema: {
        operationId: 'getCommuneOfMairie',
        summary: 'Read the commune of a mairie with its élus, collections and practical information',
        params: ByCommune,
        response: { 200: record(CommuneOfMairie) },
      },
    },
    async ({ params, caller }) => {
      requireInScope(caller, params.communeId)
      return { data: await readInOneMoment(reads, (tx) => readFor(caller)(tx, { id: params.communeId })) }
    },
  )

  scope.patch(
    '/mairie/communes/:communeId',
    {
      config: {
        needs: communeRules.editForMairie.name,
        audits: 'commune.update',
        limit: 'edit',
        sparesAdmins: true,
        refusals: ['precondition_failed'],
      },
      schema: {
        operationId: 'updateCommuneOfMairie',
        summary: 'Replace practical information, collections or élus of a commune, each list whole',
        params: ByCommune,
        body: CommuneOfMairieUpdate,
        response: { 200: record(CommuneOfMairie) },
      },
    },
    async ({ params, body, caller }) => {
      requireInScope(caller, params.communeId)
      return {
        data: await updateCommune(db, caller, params.communeId, body, readFor(caller), (_tx, commune) =>
          requireStillTheirs(caller, commune.mairie_actor_id),
        ),
      }
    },
  )
}

/** Refuses an application that is restricted to other communes. */
function requireInScope({ source }: SignedIn, communeId: string): void {
  if (source?.communeIds?.includes(communeId.toLowerCase()) === false) throw scopeViolation()
}

/** Checks the row that is locked: the commune may have another mairie since the request came. */
function requireStillTheirs({ user }: SignedIn, mairieId: string | null): void {
  const right = rightOver(user, mairieId, rules)
  if (right === 'foreign') throw scopeViolation()
  if (right === 'lacking') throw forbidden()
}
