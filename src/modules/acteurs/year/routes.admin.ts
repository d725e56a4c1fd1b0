import { opens } from '../../../platform/access/areas.ts'
import { adminRequired } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../schema.ts'
import { getYear } from './queries.ts'
import { ActeurYear } from './schema.ts'

/** Areas that may read it: decisions on publications and claims need these figures too. */
const areas = ['publications', 'claims', 'acteurs']

export function yearRoutes(scope: SignedInScope, { reads }: Deps): void {
  scope.get(
    '/admin/acteurs/:id/record',
    {
      config: { needs: 'record.open' },
      schema: {
        operationId: 'getActeurYear',
        summary:
          'Numbers of an acteur, for whoever works on publications, claims or acteurs: its last year, its members, since when it is here',
        params: ById,
        response: { 200: record(ActeurYear) },
      },
    },
    async ({ params, caller }) => {
      const data = await getYear(reads, params.id)
      if (!areas.some((area) => opens(caller.user.roles, area))) throw adminRequired()
      return { data }
    },
  )
}
