import { opens } from '../../platform/access/areas.ts'
import { areaOfKind } from '../../platform/access/record-kinds.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { list } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { mostFound } from '../../platform/searched.ts'
import { findRecords } from './queries.ts'
import { Found, SearchQuery } from './schema.ts'

export function searchRoutes(
  scope: SignedInScope,
  { lists, modules }: Pick<Deps, 'lists' | 'modules'>,
): void {
  const all = modules.flatMap(({ searched = [] }) => searched)

  scope.get(
    '/admin/search',
    {
      config: { isList: true },
      schema: {
        operationId: 'searchRecords',
        summary: `Up to ${mostFound} records of each kind that the caller may open; ids and exact codes first`,
        querystring: SearchQuery,
        response: { 200: list(Found) },
      },
    },
    async ({ query, caller }) => {
      const seen = all.filter(({ kind }) => opens(caller.user.roles, areaOfKind[kind]))
      return { data: await findRecords(lists, seen, query.q.trim()) }
    },
  )
}
