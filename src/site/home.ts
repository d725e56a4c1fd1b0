import type { FastifyReply } from 'fastify'
import type { SearchAction, WithActionConstraints } from 'schema-dts'
import { departements, isDepartement, nameOfDepartement } from '../modules/communes/departements.ts'
import { listCommunes, listMeant } from '../modules/communes/reading.ts'
import type { Commune, CommuneListed } from '../modules/communes/schema.ts'
import { listFirst } from '../modules/publications/reading/queries.ts'
import { isFeatured } from '../modules/publications/stored-lists.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import type { Caller } from '../platform/access/caller.ts'
import { notFound } from '../platform/errors.ts'
import { aroundButton } from './around.ts'
import { readCommune, tablesOfCommune } from './commune.ts'
import { byDepartement, communeNames, departementLink, namesOf } from './commune-names.ts'
import { entriesOf, headerOf, Secteur } from './commune-pages.ts'
import { sendGroup, tablesOfGroupPage } from './groupes.ts'
import { mapOfFrance } from './home/map.ts'
import { html, type Markup } from './html.ts'
import { canonicalOf, type Page, type StructuredData, sendPage } from './layout.ts'
import { horizon } from './look/drawings.ts'
import { platformLand } from './look/relief.ts'
import { alertesOfCommune } from './place.ts'
import { publicationRows } from './rows.ts'
import { countReadings, type Pages, type Site, shownCommune } from './site.ts'
import { t } from './text.ts'

/** Communes that the home names, where the site shows a few. */
const maxNamed = 30
const maxFeatured = 3
/** More than a département has, and more than an application is restricted to. */
const maxListed = 1_000

/** The home of the site. */
export const homePages: Pages = (scope) => {
  scope.get(
    '/',
    {
      config: { caching: { shows: [...new Set([...tablesOfCommune, ...tablesOfGroupPage])] }, load: 'list' },
      schema: { querystring: Secteur },
    },
    async (request, reply) => {
      const { query, caller, site } = request
      const home = site.domain?.home.split('/') ?? []
      if (home[1] === 'groupes') return sendGroup(request, reply, home[2] ?? '')
      const [only, ...others] = restrictionOf(caller) ?? []
      if (only !== undefined && others.length === 0) {
        const commune = await shownCommune(site, caller, only)
        const page = await pageOfOnly(site, caller, commune, query.secteur)
        countReadings(request, 'commune', commune)
        return sendPage(reply, site, { ...page, data: [...(page.data ?? []), webSite(site, page)] })
      }
      const list = { filters: {}, communeIds: restrictionOf(caller), comesFirst: isFeatured }
      const rows = await listFirst(site.lists, list, 10)
      // Publications with a picture come first.
      const featured = rows
        .filter(({ en_avant }) => en_avant)
        .toSorted((one, other) => Math.min(1, other.images.length) - Math.min(1, one.images.length))
        .slice(0, maxFeatured)
      const communes = await shownCommunes(site, caller, maxNamed + 1)
      const face = html`<section class="hello">${horizon(platformLand)}<div class="wrap"><h1>${t.home.title}</h1>
<p class="lead">${t.home.lead}</p>
${communeSearch()}
<div class="deeds">${aroundButton('/autour')}
<a href="/communes?pour=collectes">${t.home.bins}</a>
<a href="/defibrillateurs">${t.dae.nearest}</a></div></div></section>
`
      const body = html`${
        communes !== null &&
        html`<section aria-labelledby="communes"><h2 id="communes">${t.communes.shown}</h2>
${communeNames(communes.slice(0, maxNamed))}${communes.length > maxNamed && html`<p><a class="more" href="/communes">${t.communes.all}<span aria-hidden="true"> ›</span></a></p>`}
</section>`
      }
<section class="cards wide" aria-labelledby="une"><h2 id="une">${t.home.latest}</h2>
${featured.length > 0 ? publicationRows(featured, { place: 'card' }) : html`<p class="soft">${t.home.none}</p>`}
</section>
${
  communes === null &&
  html`<section class="france wide" aria-labelledby="departements"><h2 id="departements">${t.communes.byDepartement}</h2>
<div>${mapOfFrance()}<div id="liste" tabindex="-1">${namesOf(departements.map(departementLink('/communes')))}</div></div></section>`
}`
      const { around: script } = site.files
      const page = { title: site.settings.name, description: t.home.lead, path: '/', face, body, script }
      return sendPage(reply, site, { ...page, data: [webSite(site, page)] })
    },
  )
}

/** The home of a site of one commune. */
async function pageOfOnly(site: Site, caller: Caller, commune: Commune, secteur?: string): Promise<Page> {
  const alertes = alertesOfCommune(site, commune)
  const [inForce, entries] = await Promise.all([alertes, entriesOf(site, commune)])
  const header = headerOf(commune, inForce, { caller, present: '', secteur, entries })
  return { ...(await readCommune(site, commune, alertes, header)), commune: header }
}

/** The site and its search, for search engines. */
function webSite(site: Site, { path, commune }: Pick<Page, 'path' | 'commune'>): StructuredData {
  const { origin } = new URL(canonicalOf(site, path ?? '/', commune?.path))
  const search: WithActionConstraints<SearchAction> = {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${origin}/recherche?q={q}` },
    'query-input': 'required name=q',
  }
  return {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    ...{ name: site.settings.name, url: `${origin}/`, inLanguage: 'fr', potentialAction: search },
  }
}

/** Finds the communes that a text may mean, among those that the site shows. */
export const findCommunes = (
  { lists }: Site,
  caller: Caller,
  q: string,
  limit: number,
): Promise<CommuneListed[]> => listMeant(lists, q, limit, restrictionOf(caller))

/** The communes to which the site is restricted, by name; null if it shows all. */
async function shownCommunes(
  { lists }: Site,
  caller: Caller,
  limit: number,
): Promise<CommuneListed[] | null> {
  const communeIds = restrictionOf(caller)
  return communeIds === null ? null : listCommunes(lists, {}, { limit, offset: 0 }, communeIds)
}

/** The way to all communes without a search: by département, or one list where the site shows a few. */
export async function directory(site: Site, caller: Caller): Promise<Markup> {
  const communes = await shownCommunes(site, caller, maxListed)
  const list =
    communes === null
      ? byDepartement('/communes')
      : html`<section aria-labelledby="toutes"><h2 id="toutes">${t.communes.shown}</h2>
${communeNames(communes)}</section>`
  return html`${list}
<p class="below"><a href="/groupes">${t.groups.title}</a></p>`
}

/** Lists the communes of a département that the site shows. */
export async function sendDepartement(
  reply: FastifyReply,
  site: Site,
  caller: Caller,
  departement: string,
): Promise<FastifyReply> {
  const paging = { limit: maxListed, offset: 0 }
  const communes = await listCommunes(site.lists, { departement }, paging, restrictionOf(caller))
  const isKnown = restrictionOf(caller) === null && isDepartement(departement)
  if (communes.length === 0 && !isKnown) throw notFound()
  const title = t.communes.of(nameOfDepartement(departement), departement)
  const body = html`<h1>${title}</h1>
<section aria-label="${title}">${communes.length > 0 ? communeNames(communes) : html`<p>${t.communes.nothing}</p>`}</section>`
  const crumbs = [{ label: t.communes.title, href: '/communes' }]
  return sendPage(reply, site, {
    ...{ title, description: title, path: `/communes?departement=${departement}`, body, crumbs },
  })
}

/** `pour`: the page of the commune that is meant. */
export const communeSearch = (
  q = '',
  { pour, mots }: { pour?: string | undefined; mots?: string } = {},
): Markup => html`<form class="search" action="/communes" role="search">
<div><label for="commune">${t.communes.label}</label>
<span class="hint" id="commune-aide">${t.communes.placeholderless}</span>
<input type="search" id="commune" name="q" value="${q}" maxlength="200" autocomplete="off" aria-describedby="commune-aide">${pour && html`<input type="hidden" name="pour" value="${pour}">`}${mots && html`<input type="hidden" name="mots" value="${mots}">`}</div>
<button type="submit">${t.communes.submit}</button>
</form>`
