import { type RawBuilder, sql } from 'kysely'
import { opens } from '../../platform/access/areas.ts'
import { recordKinds } from '../../platform/access/record-kinds.ts'
import type { Database } from '../../platform/database/connect.ts'
import { hasWord } from '../../platform/formats/text.ts'
import { isUuid } from '../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { list } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { maxFound, type SearchSource, type Way } from '../../platform/search-source.ts'
import { Found, SearchQuery } from './schema.ts'

export function searchRoutes(scope: SignedInScope, { lists, modules }: Deps): void {
  const all = modules.flatMap(({ searchSources = [] }) => searchSources)

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

/** Finds records of these kinds by a text, in one statement: ids and exact codes first, then by kind. */
export async function findRecords(db: Database, kinds: readonly SearchSource[], q: string): Promise<Found[]> {
  if (kinds.length === 0) return []
  const parts = kinds.map((source, at) => foundOf(source, at, waysOf(source, q)))
  const { rows } = await sql<Found>`
    select kind, id, label, detail, exact from (${sql.join(parts, sql` union all `)}) found
    order by not exact, kind_place, place`.execute(db)
  return rows
}

function waysOf({ kind, ways, answering = sql`id` }: SearchSource, q: string): Way[] {
  if (isUuid(q))
    return [
      {
        ids: sql`select ${answering} as id from ${sql.table(recordKinds[kind].table)} where id = ${q}::uuid`,
        exact: true,
      },
    ]
  return hasWord(q) ? ways(q) : []
}

/** Selects the records of one kind; a record found in several ways has its best rank. */
function foundOf({ kind, shown }: SearchSource, kindPlace: number, ways: Way[]): RawBuilder<unknown> {
  if (ways.length === 0) return nothing
  const each = ways.map(
    ({ ids, exact = false }, at) => sql`
      select way.id, ${sql.lit(exact)} as exact, ${sql.lit(at)} * 1000 + row_number() over () as place
      from (${ids}) way`,
  )
  return sql`
    select ${sql.lit(kind)} as kind, ${sql.lit(kindPlace)} as kind_place, found.id, shown.label, shown.detail,
      found.exact, found.place
    from (
      select id, bool_or(exact) as exact, min(place) as place from (${sql.join(each, sql` union all `)}) ways
      group by id order by min(place) limit ${sql.lit(maxFound)}) found
    cross join lateral (${shown}) shown`
}

const nothing = sql`
  select '' as kind, 0 as kind_place, null::uuid as id, '' as label, '' as detail, false as exact, 0::bigint as place
  where false`
