import { sql } from 'kysely'
import type { Caller } from '../../platform/access/caller.ts'
import { among, equals } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { requireRow } from '../../platform/database/require-row.ts'
import type { SortKey } from '../../platform/database/sort-order.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { Page, publicPerPage } from '../../platform/http/listing/paging.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { pdfResponse, sendFile } from './files.ts'
import { Presence, readPresence } from './presence/presence.ts'
import { findPublicAct, isListed, isOfCommunes, type PublicRow, publicColumns } from './queries.ts'
import { Act, ActsQuery, ByCommune, ById, CommuneActsQuery } from './schema.ts'

/** Tables of what an act says of itself. */
export const tablesOfActs = ['acts', 'act_seals', 'act_timestamps', 'acteurs', 'communes']
const caching = { shows: tablesOfActs }
/** A search reads the texts too. */
const cachingOfList = { shows: [...caching.shows, 'act_files'] }

/** Published acts for everybody. They stay whatever becomes of their mairie: merged, inactive or deleted. */
export function readingRoutes(scope: HttpServer, { reads, lists, clock }: Deps): void {
  scope.get(
    '/acts',
    {
      config: { caching: cachingOfList },
      schema: {
        operationId: 'listActs',
        summary: 'Published acts, the latest first; archived ones are not listed',
        querystring: ActsQuery,
        response: { 200: Page(Act) },
      },
    },
    async ({ query, caller }) => numberedPage(lists, actsList, within(caller, query), publicPerPage, shown),
  )

  scope.get(
    '/communes/:communeId/acts',
    {
      config: { caching: cachingOfList },
      schema: {
        operationId: 'listCommuneActs',
        summary: 'Acts published in the name of a commune, the latest first',
        params: ByCommune,
        querystring: CommuneActsQuery,
        response: { 200: Page(Act) },
      },
    },
    async ({ params: { communeId }, query, caller }) => {
      const asked = within(caller, { ...query, commune_id: communeId })
      const [answer] = await Promise.all([
        numberedPage(lists, actsList, asked, publicPerPage, shown),
        requireRow(lists, 'communes', communeId),
      ])
      return answer
    },
  )

  scope.get(
    '/acts/:id',
    {
      config: { caching },
      schema: {
        operationId: 'getAct',
        summary: 'Read a published act, in whatever state',
        params: ById,
        response: { 200: record(Act) },
      },
    },
    async ({ params, caller }) => ({ data: shown(await getPublicAct(reads, caller, params.id)) }),
  )

  scope.get(
    '/acts/:id/presence',
    {
      config: { caching: { never: 'it grows by the clock' } },
      schema: {
        operationId: 'getActPresence',
        summary: 'How long an act was on line without interruption, by samples that are part of the chain',
        params: ById,
        response: { 200: record(Presence) },
      },
    },
    async ({ params, caller }) => ({
      data: await readPresence(reads, await getPublicAct(reads, caller, params.id), clock()),
    }),
  )

  scope.get(
    '/acts/:id/pdf',
    {
      config: { caching: { never: 'a file is sent while it is read' } },
      schema: {
        operationId: 'getActFile',
        summary: 'The file of a published act, byte for byte as it was published',
        params: ById,
        response: { 200: pdfResponse, 206: pdfResponse },
      },
    },
    async (request, reply) => {
      const act = await getPublicAct(reads, request.caller, request.params.id)
      if (act.state === 'occulted') throw notFound()
      return sendFile(reads, request, reply.header('cache-control', 'no-cache'), act) as never
    },
  )
}

export const getPublicAct = async (db: Database, caller: Caller, id: string): Promise<PublicRow> =>
  (await findPublicAct(db, id, communesOf(caller))) ?? raise(notFound())

/** The communes that the application is restricted to; null: all. */
const communesOf = ({ source }: Caller) => source?.communeIds ?? null

type Filters = ActsQuery & { within?: readonly string[] }

const within = (caller: Caller, query: ActsQuery): Filters => {
  const communeIds = communesOf(caller)
  return communeIds === null ? query : { ...query, within: communeIds }
}

export const shown = (row: PublicRow): Act => ({
  ...row,
  url: row.state === 'occulted' ? null : `/api/v1/acts/${row.id}/pdf`,
})

const byPublication: SortKey[] = [
  { by: sql`ac.published_at`, type: 'time' },
  { by: sql`ac.id`, type: 'id' },
]

/** Acts of one year, by their own date. */
export const ofYear = (year: number) =>
  sql`ac.date >= make_date(${year}, 1, 1) and ac.date <= make_date(${year}, 12, 31)`

/** Acts on the public lists, by their publication. */
export const actsList: List<Filters, PublicRow> = {
  name: 'acts',
  from: sql`acts ac`,
  as: 'ac',
  where: isListed,
  filters: {
    kind: among('ac.kind'),
    year: ofYear,
    subject: among('ac.subject'),
    q: (q) => sql`ac.id in (select f.act_id from act_files f where f.words @@ publication_query(${q}))`,
    commune_id: (id) => isOfCommunes([id]),
    acteur_id: equals('ac.acteur_id'),
    within: isOfCommunes,
  },
  // The index of the sort has the acts of everybody.
  filtersFirst: ({ commune_id, acteur_id, q }) => [commune_id, acteur_id, q].some((one) => one !== undefined),
  sorts: { published_at: byPublication },
  defaults: { sort: 'published_at_desc' },
  columns: publicColumns,
}
