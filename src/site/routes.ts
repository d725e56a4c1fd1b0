import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { topicFinder } from '../modules/reference/search-terms.ts'
import { type Config, settingsOf } from '../platform/config/config.ts'
import type { Changes } from '../platform/database/changes.ts'
import type { Databases } from '../platform/database/connect.ts'
import { notFound } from '../platform/errors.ts'
import { isRead } from '../platform/formats/http-methods.ts'
import { sendAsset } from '../platform/http/assets.ts'
import { type AudienceDeps, open, pages } from '../platform/http/audiences.ts'
import type { ShownRequest } from '../platform/http/cache/lookup.ts'
import { type CountPage, countPages } from '../platform/http/counted-pages.ts'
import type { ErrorPage } from '../platform/http/error-handler.ts'
import { type Hosts, noDomains } from '../platform/http/hosts.ts'
import type { HttpServer } from '../platform/http/http-server.ts'
import type { Clock } from '../platform/time/clock.ts'
import { subscribePages } from './abonnement.ts'
import { actPages, actTextPage } from './actes.ts'
import { acteurPages } from './acteurs.ts'
import { agendaPage } from './agenda.ts'
import { alertesPage } from './alertes.ts'
import { aroundPage } from './around.ts'
import { calendarRoutes } from './calendars.ts'
import { collectesPage } from './collectes.ts'
import { screenPage } from './commune/screen.ts'
import { communeSearchPage } from './commune/search.ts'
import { communePages } from './commune.ts'
import { readBanner, readHeader, secteurAsked, tablesOfBanner } from './commune-pages.ts'
import { dataRoutes } from './data.ts'
import { mapButtonFile, mapFiles, mapFilesOnDemand } from './defibrillateurs/map.ts'
import { defibrillateurPages } from './defibrillateurs.ts'
import { discoveryRoutes } from './discovery.ts'
import { feedRoutes } from './feeds.ts'
import { finishedFiles } from './finished-files.ts'
import { followPage } from './follow.ts'
import { groupMemberPages } from './groupes/members.ts'
import { groupActsPage, groupPage, groupsPage } from './groupes.ts'
import { homePages } from './home.ts'
import { html } from './html.ts'
import { registrationPages } from './inscrire.ts'
import { headersOf, type Page, renderPage } from './layout.ts'
import { legalPages } from './legal.ts'
import {
  digestOf,
  type File,
  findColorStyles,
  fonts,
  read,
  screenFile,
  siteStyles,
} from './look/stylesheets.ts'
import { manifestPages } from './manifest.ts'
import { lifePages } from './pages.ts'
import { paintedPictures } from './painted-pictures.ts'
import { publicationPages } from './publications.ts'
import { rulesPage } from './regles.ts'
import { rootFeeds } from './roots.ts'
import { searchPages } from './search.ts'
import { siteSettings } from './settings.ts'
import { findShownCommune, type Pages, type Site, type SiteBase, siteOn } from './site.ts'
import { sitemapPages } from './sitemap.ts'
import { t } from './text.ts'
import { transparencyPages } from './transparence.ts'
import { javascript, workerFile, workerPath } from './worker.ts'
import { writingPages } from './writing.ts'

/** All pages, in reading order. */
export const allPages: readonly Pages[] = [
  homePages,
  communePages,
  lifePages,
  publicationPages,
  agendaPage,
  collectesPage,
  alertesPage,
  actPages,
  acteurPages,
  actTextPage,
  groupActsPage,
  groupMemberPages,
  groupsPage,
  groupPage,
  manifestPages,
  paintedPictures,
  defibrillateurPages,
  searchPages,
  communeSearchPage,
  screenPage,
  aroundPage,
  writingPages,
  registrationPages,
  subscribePages,
  legalPages,
  rulesPage,
  transparencyPages,
  sitemapPages,
  feedRoutes,
  rootFeeds,
  calendarRoutes,
  followPage,
  dataRoutes,
]

type SiteDeps = Pick<Databases, 'db' | 'reads' | 'lists'> & {
  hosts: Pick<Hosts, 'domains'>
  jobs: Site['jobs']
  config: Config
  clock: Clock
  publicly?: Pick<Databases, 'reads' | 'lists'>
  changes?: Changes
}

export function createSite({ config, hosts, db, reads, lists, jobs, clock, publicly, changes }: SiteDeps) {
  const settings = settingsOf(config, siteSettings)
  const cssFile = siteStyles(settings.color)
  const { logo } = settings
  const logoFile = logo && { ...logo, path: `/site/${digestOf(logo.content)}.${extensionOf(logo.type)}` }
  const site: Omit<SiteBase, 'limits'> = {
    ...{ config, settings, clock, db, reads, lists, jobs, ...publicly },
    finished: finishedFiles(clock),
    findTopics: topicFinder(reads, changes ?? null),
    files: {
      ...{ css: cssFile.path, logo: logoFile?.path ?? null },
      ...{
        subscribe: subscribeFile.path,
        around: aroundFile.path,
        mapButton: mapButtonFile.path,
        keep: keepFile.path,
        screen: screenFile.path,
      },
    },
  }
  const files: File[] = [
    cssFile,
    screenFile,
    subscribeFile,
    aroundFile,
    keepFile,
    ...fonts,
    ...mapFiles,
    ...(logoFile ? [logoFile] : []),
  ]
  return { site, hosts, files, errorPage: errorPageOf(site) }
}

const subscribeFile = script('abonnement')
const aroundFile = script('autour')
const keepFile = script('hors-connexion')
function script(name: string): File {
  const content = read(`browser/${name}.js`)
  return { path: `/site/${digestOf(content)}.js`, type: javascript, content }
}
const forever = 'public, max-age=31536000, immutable'
const extensionOf = (type: string) => type.replace(/^image\/(\w+).*$/, '$1')

/** Serves the site. */
export function siteRoutes(
  server: HttpServer,
  { site, hosts, files }: ReturnType<typeof createSite>,
  audience: AudienceDeps,
  { limits, countPage }: { limits: Site['limits']; countPage: CountPage },
): void {
  const limited = { ...site, limits }
  server.decorateRequest('site')
  server.addHook('preClose', async () => site.finished.close())
  pages(server, audience, 'site', (scope) => {
    scope.addHook('onRoute', showDomains)
    scope.addHook('onRequest', async (request) => {
      const shown = siteOn(limited, request.domain, await hosts.domains())
      request.site = { ...shown, readBanner: () => readBanner(shown, request.caller) }
    })
    scope.get('/communes/:slug/*', { config: { caching: { never: 'it is a 404' } } }, () => {
      throw notFound()
    })
    countPages(scope, countPage)
    for (const register of allPages) register(scope, limited)
  })
  open(server, (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { hosts: 'domains', ...route.config }
    })
    scope.addHook('onRequest', async (request) => {
      request.site = siteOn(limited, request.domain, noDomains)
    })
    // The same on every host: none is looked up, which would wait for the database.
    const config = { hosts: 'any', load: 'static' } as const
    scope.get<{ Params: { name: string } }>('/site/:name', { config }, async (request, reply) => {
      const { name } = request.params
      const path = `/site/${name}`
      const onDemand = mapFilesOnDemand.find((one) => one.path === path)
      if (onDemand !== undefined) return sendAsset(request, reply, await onDemand.open(), forever)
      return sendFile(reply, files.find((one) => one.path === path) ?? findColorStyles(name))
    })
    scope.get(workerPath, async ({ site }, reply) => sendFile(reply, workerFile(site)))
    discoveryRoutes(scope, limited)
  })
}

function sendFile(reply: FastifyReply, file: File | undefined): FastifyReply {
  if (file === undefined) throw notFound()
  return reply
    .type(file.type)
    .headers({ 'cache-control': forever, ...file.headers })
    .send(file.content)
}

/** Every page names addresses of the platform or of a domain, and where the site shows one commune, its urgent alertes. */
function showDomains(route: RouteOptions): void {
  const { caching } = route.config ?? {}
  if (caching === undefined || 'never' in caching) return
  const shows = [...new Set([...caching.shows, 'domains'])]
  const withBanner = [...new Set([...shows, ...tablesOfBanner])]
  const tagsOf = ({ communeIds }: ShownRequest) => (communeIds?.length === 1 ? withBanner : shows)
  route.config = { ...route.config, caching: { ...caching, shows, tagsOf } }
}

const explained = [400, 403, 404, 413, 415, 422, 429, 503] as const
const isExplained = (status: number): status is (typeof explained)[number] =>
  explained.some((one) => one === status)

/** Shows errors of pages and of unknown addresses to people; applications get JSON. */
function errorPageOf(base: Omit<SiteBase, 'limits'>): ErrorPage {
  return async (error, request, reply) => {
    // A request whose address cannot be read has no domain yet.
    const site = request.site ?? siteOn(base, request.domain ?? null, noDomains)
    const { status } = error.kind
    const again = (await request.routeOptions.config?.page?.showsAgain?.(error, request, reply)) ?? null
    if (again !== null) return again
    const isPage = request.routeOptions.config?.scope?.audience === 'page'
    if (isPage && status === 404 && leadsToPlatform(request)) {
      reply.code(302).header('location', `${site.platform}${request.url}`)
    }
    if (!isPage && !(request.is404 && isForPeople(request.url, request.headers.accept))) return null
    const head = isPage && (status === 400 || status === 404) ? await headOf(request) : {}
    const [title, description] = isExplained(status) ? t.error[status] : t.error.other
    const body = html`<h1>${title}</h1>
<p class="lead">${description}</p>
${
  request.method === 'POST' &&
  html`<p>${t.error.back}</p>
`
}<p><a class="more" href="${head.commune?.path ?? '/'}">${t.error.home}</a></p>`
    // Nobody stands at a screen to load it again.
    if (/^\/communes\/[^/]+\/ecran(?:$|\?)/.test(request.url)) reply.header('refresh', '30')
    headersOf(reply)
    return renderPage(site, { title, description, path: null, body, ...head }, null)
  }
}

/** Reads what stands above an error below the address of a commune, or on the site of one; nothing while it cannot be read. */
async function headOf({
  url,
  params,
  query,
  caller,
  site,
}: FastifyRequest): Promise<Pick<Page, 'commune' | 'banner'>> {
  try {
    const { slug = '' } = params as { slug?: string }
    const isBelow = /^\/communes\/[^/?]/.test(url)
    const commune = isBelow ? await findShownCommune(site, caller, slug) : null
    return commune === null
      ? { banner: await site.readBanner() }
      : { commune: await readHeader(site, commune, caller, secteurAsked(commune, url, query)) }
  } catch {
    return {}
  }
}

/** A page of another place has the platform's name and address, and none of this domain's. */
const leadsToPlatform = ({ domain, method, url }: FastifyRequest): boolean =>
  domain != null &&
  isRead(method) &&
  /^\/(communes|groupes|acteurs|publications|actes)\//.test(url) &&
  !url.startsWith(`${domain.home}/`)

const isForPeople = (url: string, accept = '') =>
  !/^\/(api|docs|backoffice)(\/|$|\?)/.test(url) && accept.includes('text/html')
