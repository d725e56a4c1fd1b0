import Type, { type Static, type TObject } from 'typebox'
import { ByIdOrSlug } from '../modules/groups/reading.ts'
import type { HttpServer } from '../platform/http/http-server.ts'
import { type PageOptions, pageOfCommune, type Secteur } from './commune-pages.ts'
import { shownGroup, tablesOfGroup } from './groupes/shown-group.ts'
import { type Page, sendPage } from './layout.ts'
import { type AlerteOfPlace, alertesOf, type Place, placeOfCommune, placeOfGroup } from './place.ts'
import { type Site, type SiteBase, searchOf } from './site.ts'

type Shown = { site: Site; alertes(): Promise<AlerteOfPlace[]> }
type Options<Query extends TObject> = PageOptions<Query> & { shows: string[] }

/** Registers a page that communes and groups have. Ids and former slugs lead on to the present slug. */
export function pageOfPlace<Query extends TObject = TObject>(
  scope: HttpServer,
  base: SiteBase,
  options: Options<Query>,
  read: (
    place: Place,
    query: Static<Query> & Secteur,
    shown: Shown,
  ) => Promise<Omit<Page, 'crumbs' | 'commune' | 'group'>>,
): void {
  pageOfCommune(scope, base, options, (commune, query, { alertes, site }) =>
    read(placeOfCommune(commune), query, { site, alertes: () => alertes }),
  )
  pageOfGroup(scope, options, (place, query, site) =>
    read(place, query, { site, alertes: () => alertesOf(site, place) }),
  )
}

function pageOfGroup<Query extends TObject>(
  scope: HttpServer,
  { sub, shows, query = Type.Object({}) as unknown as Query }: Options<Query>,
  read: (
    place: Place,
    query: Static<Query>,
    site: Site,
  ) => Promise<Omit<Page, 'crumbs' | 'commune' | 'group'>>,
): void {
  scope.get(
    `/groupes/:idOrSlug${sub}`,
    {
      config: { caching: { shows: [...new Set([...shows, ...tablesOfGroup])] }, load: 'list' },
      schema: { params: ByIdOrSlug, querystring: query as TObject },
    },
    async ({ params: { idOrSlug }, query, caller, url, site }, reply) => {
      const place = placeOfGroup(await shownGroup(site, caller, idOrSlug))
      const { slug, nom, path } = place
      if (slug !== idOrSlug) return reply.redirect(`${path}${sub}${searchOf(url)}`, 301)
      const page = await read(place, query as Static<Query>, site)
      return sendPage(reply, site, { ...page, group: path, crumbs: [{ label: nom, href: path }] })
    },
  )
}
