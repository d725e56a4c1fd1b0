import { opens } from '../../platform/access/areas.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { record } from '../../platform/http/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { getMe } from './queries.ts'
import { Me } from './schema.ts'

export function meRoutes(scope: SignedInScope, { db, modules }: Pick<Deps, 'db' | 'modules'>): void {
  const all = modules.flatMap(({ routes }) => routes?.admin?.area ?? [])
  const areas = [...new Set(all)].sort()

  scope.get(
    '/me',
    {
      schema: {
        operationId: 'getMe',
        summary: 'Who is signed in: their roles, what these open, and whom they may act for',
        response: { 200: record(Me) },
      },
    },
    async ({ caller }) => {
      const me = await getMe(db, caller.user.id)
      return { data: { ...me, areas: areas.filter((area) => opens(me.roles, area)) } }
    },
  )
}
