import { opens } from '../../platform/access/areas.ts'
import { recordKinds } from '../../platform/access/record-kinds.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { list } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { maxFound } from '../../platform/searched.ts'
import { findRecords } from './queries.ts'
import { Found, SearchQuery } from './schema.ts'

export function searchRoutes(scope: SignedInScope, { lists, modules }: Deps): void {
  const all = modules.flatMap(({ searched = [] }) => searched)

  scope.get(
    '/admin/search',
    {
      config: { isList: true },
      schema: {
        operationId: 'searchRecords',
        summary: `Up to ${maxFound} records of each kind that the caller may open; ids and exact codes first`,
        querystring: SearchQuery,
        response: { 200: list(Found) },
      },
    },
    async ({ query, caller }) => {
      const seen = all.filter(({ kind }) => opens(caller.user.roles, recordKinds[kind].area))
      return { data: await findRecords(lists, seen, query.q.trim()) }
    },
  )
}
