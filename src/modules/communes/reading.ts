import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { columnList } from '../../platform/database/columns.ts'
import { compiledOnce } from '../../platform/database/compiled-once.ts'
import { allOf } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { requireRow } from '../../platform/database/require-row.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { isUuid } from '../../platform/formats/uuid.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import type { AddressList } from '../../platform/http/listing/addresses.ts'
import {
  CursorMeta,
  type Position,
  startOfWalk,
  updatedQuery,
  walked,
} from '../../platform/http/listing/cursor.ts'
import { type Paging, pagingOf, pagingQuery, publicPerPage } from '../../platform/http/listing/paging.ts'
import { IdOrSlug, list, record, text, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { publicAddress } from '../media/images.ts'
import { withNextDates } from './calendar.ts'
import { mergeInfos } from './infos.ts'
import { contactOfMairie, findDepartement, listCollectes, listElus, picturesOf } from './queries.ts'
import {
  ById,
  Collecte,
  Commune,
  CommuneFound,
  CommuneListed,
  type Contact,
  communeColumns,
  communeFilters,
  Elu,
  Info,
  Infos,
} from './schema.ts'
import {
  conditionsOf,
  defaultOrder,
  hasNear,
  isNamedInFull,
  type Precision,
  postalCodeFound,
} from './search.ts'
import { findByAddress } from './secteurs/by-address.ts'
import { inSecteur } from './secteurs/names.ts'
import { listSecteurRows } from './secteurs/queries.ts'
import { Secteur } from './secteurs/schema.ts'

export const BySlug = Type.Object({ slug: IdOrSlug('Slug of the commune, or its identifier', 'chambery') })

const CommunesQuery = Type.Object({
  ...pagingQuery(publicPerPage),
  ...updatedQuery,
  ...communeFilters,
})
type CommunesQuery = Static<typeof CommunesQuery>

const CommunePage = Type.Object({
  data: Type.Array(CommuneFound),
  meta: Type.Union([
    titled('CommunePageMeta', {
      page: Type.Integer({ examples: [1] }),
      per_page: Type.Integer({ examples: [publicPerPage] }),
    }),
    CursorMeta,
  ]),
})

const CollectesQuery = Type.Object({
  adresse: Type.Optional(
    text(200, {
      description:
        'An address in the commune: the collections of its secteur, and those of the whole commune, if it leads to one secteur; else all. `meta` says what it leads to. It is neither logged nor stored',
      examples: ['12 rue de la République'],
    }),
  ),
})

const CollectesOfCommune = Type.Object({
  data: Type.Array(Collecte),
  meta: Type.Optional(
    titled('CollectesOfAddress', {
      secteurs: Type.Array(Type.String(), {
        description:
          'Secteurs that the address may belong to: one that it belongs to, several between which its number would decide, or none',
        examples: [['Centre']],
      }),
      needs_number: Type.Boolean({
        description: 'Whether the street lies in a secteur, or in several, and its number would tell',
        examples: [false],
      }),
      suggestions: Type.Array(Type.String(), {
        description:
          'Addresses that may be meant, to be sent as `adresse`. Without them, secteurs and `needs_number`, nobody has said to which secteur the address belongs',
        examples: [[]],
      }),
    }),
  ),
})

export function readingRoutes(scope: HttpServer, { reads, lists, clock }: Deps): void {
  scope.get(
    '/communes',
    {
      config: {
        caching: { shows: ['communes', 'commune_aliases', 'commune_former_names', 'group_communes'] },
      },
      schema: {
        operationId: 'listCommunes',
        summary: 'List communes, by name, or by relevance with `q`',
        querystring: CommunesQuery,
        response: { 200: CommunePage },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, publicPerPage)
      const start = startOfWalk(query, ['departement', 'code_insee'])
      if (start !== null)
        return walked(await listUpdatedCommunes(lists, query, start, paging.perPage + 1), paging.perPage)
      const data = await listCommunes(lists, query, paging)
      return { data, meta: { page: paging.page, per_page: paging.perPage } }
    },
  )

  scope.get(
    '/communes/:slug',
    {
      config: { caching: { shows: ['communes'], direct: true } },
      schema: {
        operationId: 'getCommune',
        summary: 'One commune, by its slug or id',
        params: BySlug,
        response: { 200: record(Commune) },
      },
    },
    async ({ params }) => ({ data: (await findCommune(reads, params.slug)) ?? raise(notFound()) }),
  )

  scope.get(
    '/communes/:id/elus',
    {
      config: { caching: { shows: ['communes', 'elus'], direct: true } },
      schema: {
        operationId: 'listElus',
        summary: 'Elected officials of a commune, in order',
        params: ById,
        response: { 200: list(Elu) },
      },
    },
    async ({ params }) => {
      const [elus] = await Promise.all([listElus(reads, params.id), requireRow(reads, 'communes', params.id)])
      return { data: elus }
    },
  )

  scope.get(
    '/communes/:id/collectes',
    {
      config: { caching: { never: 'the next dates change with the day', unless: 'adresse' } },
      schema: {
        operationId: 'listCollectes',
        summary: 'Waste collections of a commune, or of an address in it, with their next dates',
        params: ById,
        querystring: CollectesQuery,
        response: { 200: CollectesOfCommune },
      },
    },
    async ({ params: { id }, query: { adresse } }) => {
      const [collectes, departement, found] = await Promise.all([
        listCollectes(reads, id),
        findDepartement(reads, id),
        adresse === undefined ? null : findByAddress(reads, id, adresse),
      ])
      if (departement === null) throw notFound()
      const today = todayInParis(clock())
      const [only, ...others] = found?.secteurs ?? []
      const shown = only === undefined || others.length > 0 ? collectes : inSecteur(collectes, only)
      const data = shown.map((collecte) => withNextDates(collecte, today, departement))
      if (found === null) return { data }
      const { secteurs, needsNumber, suggestions } = found
      return { data, meta: { secteurs, needs_number: needsNumber, suggestions } }
    },
  )

  scope.get(
    '/communes/:id/secteurs',
    {
      config: { caching: { shows: ['communes', 'secteurs'] } },
      schema: {
        operationId: 'listSecteurs',
        summary: 'Secteurs of the collections of a commune, with the streets and the area of each',
        params: ById,
        response: { 200: list(Secteur) },
      },
    },
    async ({ params }) => {
      const [secteurs] = await Promise.all([
        listSecteurRows(reads, params.id),
        requireRow(reads, 'communes', params.id),
      ])
      return { data: secteurs }
    },
  )

  scope.get(
    '/communes/:id/infos',
    {
      config: { caching: { shows: ['communes', 'commune_infos', 'acteurs'], direct: true } },
      schema: {
        operationId: 'getInfos',
        summary: "Practical information of a commune, its mairie's first",
        params: ById,
        response: { 200: record(Infos) },
      },
    },
    async ({ params }) => {
      const [found] = await infosOf(reads, params.id)
      if (found === undefined) throw notFound()
      return { data: mergeInfos(found.mairie, found.infos) }
    },
  )
}

/** Lists communes, of all or of these ids. The index gives the ids of a page, so that no row before it is read. */
export async function listCommunes(
  db: Database,
  query: CommunesQuery,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'>,
  ids: readonly string[] | null = null,
): Promise<CommuneFound[]> {
  const list = (precision: Precision, limit: number, offset: number) =>
    listMatches(db, query, precision, { limit, offset }, ids)
  const rows = await list('exact', limit, offset)
  if (rows.length > 0 || !hasNear(query)) return rows
  // The page is past the end, but the search has exact matches.
  if (offset > 0 && (await list('exact', 1, 0)).length > 0) return rows
  return list('near', limit, offset)
}

/**
 * Lists the communes that a person may mean: those that `listCommunes` finds, and, unless the first is named in full, those that
 * differ by a letter. A name that is mistyped can be the beginning of another: "Chamberi", of Chambéria.
 */
export async function listMeant(
  db: Database,
  q: string,
  limit: number,
  ids: readonly string[] | null,
): Promise<CommuneFound[]> {
  const paging = { limit, offset: 0 }
  const found = await listCommunes(db, { q }, paging, ids)
  const [first] = found
  if (first === undefined || found.length === limit || found.length > certain || !hasNear({ q })) return found
  if (await isNamedBy(db, first.id, q)) return found
  const known = new Set(found.map(({ id }) => id))
  const near = await listMatches(db, { q }, 'near', paging, ids)
  return [...found, ...near.filter(({ id }) => !known.has(id))].slice(0, limit)
}

/** So many that begin alike are no accident of a typo. */
const certain = 2

async function listMatches(
  db: Database,
  query: CommunesQuery,
  precision: Precision,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'>,
  ids: readonly string[] | null,
): Promise<CommuneFound[]> {
  const order = defaultOrder(query)
  const chosen = allOf(ids !== null && sql`id = any(${ids}::uuid[])`, ...conditionsOf(query, precision))
  const { rows } = await sql<CommuneListed>`
    select ${columnList(CommuneListed.properties, 'communes')}
    from (select id as found from communes where ${chosen} order by ${order} limit ${limit} offset ${offset}) page
    join communes on communes.id = page.found order by ${order}`.execute(db)
  const { q } = query
  return q === undefined
    ? rows
    : rows.map((row) => ({ ...row, code_postal: postalCodeFound(q, precision, row) }))
}

/** True if a search names this commune in full, so that no other can be meant. */
export async function isNamedBy(db: Database, id: string, q: string): Promise<boolean> {
  const { rows } = await sql`select from communes where id = ${id} and ${isNamedInFull(q)}`.execute(db)
  return rows.length > 0
}

/** Lists communes after a cursor position, in the order of their last change. */
export async function listUpdatedCommunes(
  db: Database,
  query: CommunesQuery,
  { at, id }: Position,
  limit: number,
): Promise<(CommuneListed & { updated_at: Date })[]> {
  const { rows } = await sql<CommuneListed & { updated_at: Date }>`
    select ${columnList(CommuneListed.properties)}, updated_at from communes
    where ${allOf(sql`(updated_at, id) > (${at}::timestamptz, ${id}::uuid)`, ...conditionsOf(query, 'exact'))}
    order by updated_at, id limit ${limit}`.execute(db)
  return rows
}

const infosOf = compiledOnce(
  (communeId: string) => sql<{ mairie: Contact | null; infos: Info[] }>`
    select
      (select to_json(m) from (${contactOfMairie(sql`communes.mairie_actor_id`)}) m) as mairie,
      coalesce((select json_agg(i order by i.position, i.id) from (
        select ${columnList(Info.properties)} from commune_infos where commune_id = communes.id) i), '[]') as infos
    from communes where id = ${communeId}`,
)

const selectCommune = (isIt: RawBuilder<unknown>) => sql<Commune>`
  select ${columnList(communeColumns)}, ${picturesOf(publicAddress)} from communes where ${isIt}`
const communeById = compiledOnce((id: string) => selectCommune(sql`id = ${id}`))
const communeBySlug = compiledOnce((slug: string) =>
  selectCommune(sql`id = coalesce((select id from communes where slug = ${slug}),
    (select id from commune_former_slugs where slug = ${slug}))`),
)

/** Finds a commune by id if the text is a UUID, else by its slug or a former one. */
export async function findCommune(db: Database, slugOrId: string): Promise<Commune | null> {
  const [row = null] = await (isUuid(slugOrId) ? communeById : communeBySlug)(db, slugOrId)
  return row
}

/** All communes, or these, with their addresses. */
export const addressesOfCommunes = (ids: readonly string[] | null): AddressList => ({
  table: 'communes',
  from: sql`communes`,
  where: ids === null ? sql`true` : sql`id = any(${ids}::uuid[])`,
  at: sql`updated_at`,
  id: sql`id`,
})
