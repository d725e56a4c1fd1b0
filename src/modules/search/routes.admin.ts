import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { opens } from '../../platform/access/areas.ts'
import type { Database } from '../../platform/database/connect.ts'
import { hasWord } from '../../platform/formats/text.ts'
import { isUuid } from '../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { filledLine, list, oneOf, textOrNull, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import {
  maxFound,
  type SearchSource,
  searchKindNames,
  searchKinds,
  type Way,
} from '../../platform/search-source.ts'

const SearchQuery = Type.Object({
  q: filledLine(200, {
    description: 'An id, a code, an address, or the beginnings of words',
    examples: ['fête pomme'],
  }),
})

/** A record that the search found. */
export const Found = titled(
  'FoundRecord',
  {
    kind: oneOf(searchKindNames, 'Kind of the record'),
    id: Type.String({
      description: 'Identifier of the record; of a payment event, that of the provider',
      examples: ['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'],
    }),
    label: Type.String({ description: 'Its title or name', examples: ['Fête de la pomme'] }),
    detail: textOrNull('Les Croqueurs de pommes', 'What distinguishes it'),
    exact: Type.Boolean({
      description: 'The text is its id, or one of its codes or addresses',
      examples: [false],
    }),
  },
  `At most ${maxFound} of each kind`,
)
export type Found = Static<typeof Found>

export function searchRoutes(scope: SignedInScope, { lists, modules }: Deps): void {
  const all = modules.flatMap(({ office }) => office?.searchSources ?? [])

  scope.get(
    '/admin/search',
    {
      config: { load: 'list' },
      schema: {
        operationId: 'searchRecords',
        summary: `Up to ${maxFound} records of each kind that the caller may open; ids and exact codes first, then names`,
        querystring: SearchQuery,
        response: { 200: list(Found) },
      },
    },
    async ({ query, caller }) => {
      const seen = all.filter(({ kind }) => opens(caller.user.roles, searchKinds[kind].area))
      return { data: await findRecords(lists, seen, query.q.trim()) }
    },
  )
}

/**
 * Finds records of these kinds by a text, in one statement: ids and exact codes first, then records of that name, then
 * those whose name begins with it, then the others by kind. Claims and subscriptions, which have the name of their acteur,
 * follow it.
 */
export async function findRecords(db: Database, kinds: readonly SearchSource[], q: string): Promise<Found[]> {
  if (kinds.length === 0) return []
  const parts = kinds.map((source, at) => foundOf(source, at, waysOf(source, q)))
  const { rows } = await sql<Found>`
    select kind, id, label, detail, exact from (${sql.join(parts, sql` union all `)}) found
    order by not exact,
      case when search_key(label) = search_key(${q}) then 0 when starts_with(search_key(label), search_key(${q})) then 1
        else 2 end,
      kind in ('claim', 'subscription'), kind_place, place`.execute(db)
  return rows
}

function waysOf({ kind, ways, answering = sql`id` }: SearchSource, q: string): Way[] {
  if (isUuid(q) && kind !== 'payment_event')
    return [
      {
        ids: sql`select ${answering} as id from ${sql.table(searchKinds[kind].table)} where id = ${q}::uuid`,
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
    select ${sql.lit(kind)} as kind, ${sql.lit(kindPlace)} as kind_place, found.id::text, shown.label, shown.detail,
      found.exact, found.place
    from (
      select id, bool_or(exact) as exact, min(place) as place from (${sql.join(each, sql` union all `)}) ways
      group by id order by min(place) limit ${sql.lit(maxFound)}) found
    cross join lateral (${shown}) shown`
}

const nothing = sql`
  select '' as kind, 0 as kind_place, '' as id, '' as label, '' as detail, false as exact, 0::bigint as place
  where false`
