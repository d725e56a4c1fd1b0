import type { FastifyRequest } from 'fastify'
import Type, { type Static, type TObject } from 'typebox'
import { alertesInForce } from '../modules/alertes/queries.ts'
import type { Alerte } from '../modules/alertes/schema.ts'
import { BySlug } from '../modules/communes/reading.ts'
import type { Commune } from '../modules/communes/schema.ts'
import type { ListPosition } from '../modules/publications/reading/pages.ts'
import { listShown } from '../modules/publications/reading/queries.ts'
import type { PublicQuery } from '../modules/publications/reading/schema.ts'
import { isFeatured } from '../modules/publications/stored-lists.ts'
import type { HttpServer } from '../platform/http/http-server.ts'
import { numberedPage } from '../platform/http/listing/list-page.ts'
import { pagingOf } from '../platform/http/listing/paging.ts'
import { type Page, sendPage } from './layout.ts'
import { type Site, searchOf, shownCommune } from './site.ts'

/** Tables of lists of publications. */
export const tablesOfPublications = ['publications', 'publication_types', 'acteurs', 'communes']
type Options<Query extends TObject> = { sub: string; shows: string[] | null; query?: Query }

/** Registers a page of a commune. Its id and former slugs lead on to its present slug. */
export function pageOfCommune<Query extends TObject = TObject>(
  scope: HttpServer,
  site: Site,
  { sub, shows, query = Type.Object({}) as unknown as Query }: Options<Query>,
  read: (commune: Commune, query: Static<Query>, request: FastifyRequest) => Promise<Omit<Page, 'crumbs'>>,
): void {
  const cached = shows === null ? { uncached: 'what is open changes with the clock' } : { shows }
  scope.get(
    `/communes/:slug${sub}`,
    { config: { ...cached, isList: true }, schema: { params: BySlug, querystring: query } },
    async (request, reply) => {
      const { slug } = request.params as { slug: string }
      const commune = await shownCommune(site, request.caller, slug)
      if (commune.slug !== slug)
        return reply.redirect(`/communes/${commune.slug}${sub}${searchOf(request.url)}`, 301)
      const page = await read(commune, request.query as Static<Query>, request as FastifyRequest)
      const crumbs = sub === '' ? [] : [{ label: commune.nom, href: `/communes/${commune.slug}` }]
      return sendPage(reply, site, { ...page, crumbs })
    },
  )
}

/** Lists publications of a commune, featured ones first unless sorted. */
export function publicationsOf(
  site: Site,
  commune: Commune,
  filters: PublicQuery,
  perPage: number,
  after?: ListPosition,
) {
  const paging = pagingOf({ per_page: perPage, ...filters }, perPage)
  const { page: _page, per_page: _perPage, ...wanted } = filters
  const list = {
    filters: { ...wanted, commune_id: commune.id },
    communeIds: null,
    comesFirst: isFeatured,
    ...(after !== undefined && { after }),
  }
  return listShown(site.lists, list, paging)
}

export const alertesOf = async (site: Site, { id }: Commune): Promise<Alerte[]> =>
  (await numberedPage(site.lists, alertesInForce(site.clock()), { commune_id: id, per_page: 50 }, 50)).data
