import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { actsList, tablesOfActs } from '../modules/acts/reading.ts'
import { isDepartement, nameOfDepartement } from '../modules/communes/departements.ts'
import type { CommuneListed } from '../modules/communes/schema.ts'
import { ByIdOrSlug, groupsOfSite } from '../modules/groups/reading.ts'
import type { Group } from '../modules/groups/schema.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import { notFound } from '../platform/errors.ts'
import { hasWord } from '../platform/formats/text.ts'
import { numberedPage } from '../platform/http/listing/list-page.ts'
import { text } from '../platform/http/validation/schemas.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { actRows } from './actes.ts'
import { eventsIn } from './commune/events.ts'
import { byDepartement, communeNames } from './commune-names.ts'
import { tablesOfAlertes, tablesOfPublications } from './commune-pages.ts'
import { addressForm } from './groupes/members.ts'
import { shownGroup, tablesOfGroup } from './groupes/shown-group.ts'
import { html, type Markup } from './html.ts'
import { canonicalOf, type StructuredData, sendPage } from './layout.ts'
import { daysTag } from './module.ts'
import {
  type AlerteOfPlace,
  actsFilterOf,
  alertesOf,
  type Place,
  placeOfGroup,
  publicationsOf,
} from './place.ts'
import {
  alerteBox,
  calendarLink,
  departementCode,
  eventRows,
  feedLinks,
  pager,
  publicationRows,
  searchText,
} from './rows.ts'
import { foldSeries } from './series.ts'
import { countReadings, type Pages, type Site, searchOf } from './site.ts'
import { t } from './text.ts'

const GroupsQuery = Type.Object({
  q: Type.Optional(text(200)),
  departement: Type.Optional(departementCode),
  page: Type.Optional(Type.Integer({ minimum: 1 })),
})
const groupsPerPage = 50

/** The groups that the site shows, by name: all, those of a département, or those that a search finds. */
export const groupsPage: Pages = (scope) => {
  scope.get(
    '/groupes',
    {
      config: { caching: { shows: ['groups', 'group_communes', 'communes', 'acteurs'] }, load: 'list' },
      schema: { querystring: GroupsQuery },
    },
    async ({ query: { q = '', departement, page = 1 }, caller, site }, reply) => {
      const communeIds = restrictionOf(caller)
      const isSearch = hasWord(q)
      const asked = {
        ...{ page, ...(isSearch && { q }) },
        ...(departement !== undefined && { departement }),
        ...(communeIds !== null && { commune_ids: communeIds }),
      }
      const { data, meta } = await numberedPage(site.lists, groupsOfSite, asked, groupsPerPage)
      const isKnown = departement === undefined || (communeIds === null && isDepartement(departement))
      if (meta.total === 0 && !isKnown) throw notFound()
      const place = departement === undefined ? undefined : nameOfDepartement(departement)
      const title = place === undefined ? t.groups.title : t.groups.of(place, `${departement}`)
      const hrefOf = (at: number) =>
        `/groupes${searchText({ q: isSearch ? q : '', departement, page: at === 1 ? '' : `${at}` })}`
      const empty = page > 1 ? t.publications.pastEnd : isSearch ? t.groups.noneFound(q) : t.groups.nothing
      const body = html`<h1>${title}</h1>
<p class="lead">${t.groups.lead}</p>
${groupSearch(q, departement)}
<section aria-label="${t.groups.title}">
${data.length > 0 ? groupRows(data, communeIds === null) : html`<p class="empty">${empty}</p>`}
${pager(page, meta.last_page, hrefOf)}</section>
${communeIds === null && departement === undefined && !isSearch && byDepartement('/groupes')}`
      const shown = [isSearch && t.publications.quoted(q), t.publications.pageNumber(page)]
      return sendPage(reply, site, {
        title: t.publications.titled(title, shown),
        description: t.groups.lead,
        path: isSearch || data.length === 0 ? null : hrefOf(page),
        crumbs: [
          { label: t.communes.title, href: '/communes' },
          ...(departement === undefined ? [] : [{ label: t.groups.title, href: '/groupes' }]),
        ],
        body,
      })
    },
  )
}

const groupSearch = (
  q: string,
  departement: string | undefined,
): Markup => html`<form class="search" action="/groupes" role="search">
<div><label for="groupe">${t.groups.label}</label>
<input type="search" id="groupe" name="q" value="${q}" maxlength="200" autocomplete="off">${departement && html`<input type="hidden" name="departement" value="${departement}">`}</div>
<button type="submit">${t.communes.submit}</button>
</form>`

/** `counts`: a site restricted to communes does not tell how many other members a group has. */
const groupRows = (groups: readonly Group[], counts: boolean): Markup => html`<ul class="rows">
${groups.map(
  ({
    slug,
    nom,
    kind,
    communes_count,
  }) => html`<li><h2 class="row-title"><a href="/groupes/${slug}">${nom}</a></h2>
<p class="meta">${t.groups.kinds[kind]}${counts && communes_count > 0 && ` · ${t.groups.count(communes_count)}`}</p></li>
`,
)}</ul>`

export const tablesOfGroupPage = [
  ...new Set([
    ...[...tablesOfGroup, ...tablesOfAlertes, 'publication_communes'],
    ...[...tablesOfPublications, ...tablesOfActs],
  ]),
  daysTag,
]

/**
 * The page of a group of communes, with what its acteur publishes. A site restricted to communes shows the groups of these, and
 * only these of them.
 */
export const groupPage: Pages = (scope) => {
  scope.get(
    '/groupes/:idOrSlug',
    {
      config: {
        caching: { shows: tablesOfGroupPage },
        load: 'list',
      },
      schema: { params: ByIdOrSlug },
    },
    (request, reply) => sendGroup(request, reply, request.params.idOrSlug),
  )
}

/** Sends the page of a group, which is also the home of its domain. */
export async function sendGroup(
  request: FastifyRequest,
  reply: FastifyReply,
  idOrSlug: string,
): Promise<FastifyReply> {
  const { caller, url, site } = request
  const shown = await shownGroup(site, caller, idOrSlug)
  const { group, members } = shown
  const place = placeOfGroup(shown)
  const { path } = place
  if (group.slug !== idOrSlug) return reply.redirect(`${path}${searchOf(url)}`, 301)
  countReadings(request, 'group', group)
  const { nom, kind, acteur } = group
  const [alertes, published, acts] = await Promise.all([
    alertesOf(site, place),
    acteur && publishedBy(site, place),
    latestActs(site, place),
  ])
  const body = html`<h1>${nom}</h1>
<p class="tag">${t.groups.kinds[kind]}</p>
${alertes.length > 0 && inForce(alertes)}${members.length > 0 && bins(path, members)}${published}${acts}<section aria-labelledby="communes"><h2 id="communes">${t.groups.members(members.length)}</h2>
${members.length > 0 ? communeNames(members) : html`<p class="empty">${t.groups.none}</p>`}</section>
<section aria-labelledby="suivre"><h2 id="suivre">${t.follow.of(nom)}</h2>
<ul class="plain">
<li><a href="${path}/abonnement">${t.abonnement.short}</a></li>
<li><a href="${path}/suivre">${t.follow.title}</a></li>
</ul></section>`
  return sendPage(reply, site, {
    ...{ title: nom, description: t.groups.description(nom, t.groups.kinds[kind]), path, body, group: path },
    crumbs: [{ label: t.groups.title, href: '/groupes' }],
    data: [organisation(site, group)],
    alternates: [
      ...feedLinks(`${path}/publications`, t.publications.of(nom)),
      ...feedLinks(`${path}/alertes`, t.alertes.of(nom)),
      calendarLink(`${path}/agenda`, t.agenda.of(nom)),
    ],
  })
}

const inForce = (alertes: readonly AlerteOfPlace[]): Markup =>
  html`<section aria-labelledby="alertes"><h2 id="alertes">${t.alertes.title}</h2>
${alertes.map(alerteBox)}</section>
`

const bins = (path: string, members: readonly CommuneListed[]): Markup =>
  html`<section aria-labelledby="collectes"><h2 id="collectes">${t.groups.bins}</h2>
${addressForm(path, members)}</section>
`

/** The acts of a group: of the acteur that publishes for it. They stay whatever becomes of it. */
export const groupActsPage: Pages = (scope) => {
  scope.get(
    '/groupes/:idOrSlug/actes',
    {
      config: { caching: { shows: [...new Set([...tablesOfGroup, ...tablesOfActs])] }, load: 'list' },
      schema: {
        params: ByIdOrSlug,
        querystring: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1 })) }),
      },
    },
    async ({ params: { idOrSlug }, query: { page = 1 }, caller, url, site }, reply) => {
      const place = placeOfGroup(await shownGroup(site, caller, idOrSlug))
      const { path, nom } = place
      if (place.slug !== idOrSlug) return reply.redirect(`${path}/actes${searchOf(url)}`, 301)
      const query = { ...(await actsFilterOf(site, place)), page }
      const { data: acts, meta } = await numberedPage(site.lists, actsList, query, perPage)
      if (acts.length === 0 && page > 1) throw notFound()
      const hrefOf = (at: number) => `${path}/actes${at === 1 ? '' : `?page=${at}`}`
      const title = t.actes.of(nom)
      const body = html`<h1>${title}</h1>
<p class="lead">${t.actes.lead}</p>
<section aria-label="${t.actes.title}">
${acts.length > 0 ? actRows(acts) : html`<p class="empty">${t.actes.noneOfGroup(nom)}</p>`}
${pager(page, meta.last_page, hrefOf)}</section>`
      return sendPage(reply, site, {
        title: page === 1 ? title : `${title}, ${t.publications.pageNumber(page)}`,
        description: `${title}. ${t.actes.lead}`,
        // An empty page, or one with an act about a person, is not for search engines.
        path: acts.length === 0 || acts.some(({ individual }) => individual) ? null : hrefOf(page),
        group: path,
        crumbs: [{ label: nom, href: path }],
        alternates: feedLinks(`${path}/actes`, title),
        body,
      })
    },
  )
}

const perPage = 20
const maxActs = 5

/** The latest acts of a group; empty without any. */
async function latestActs(site: Site, place: Place): Promise<Markup | false> {
  const query = { ...(await actsFilterOf(site, place)), page: 1 }
  const { data: acts } = await numberedPage(site.lists, actsList, query, maxActs)
  return (
    acts.length > 0 &&
    html`<section aria-labelledby="actes"><h2 id="actes">${t.actes.title}</h2>
${actRows(acts, 'h3')}
${moreLink(`${place.path}/actes`, t.actes.all)}</section>
`
  )
}

const moreLink = (href: string, label: string): Markup =>
  html`<p><a class="more" href="${href}">${label}<span aria-hidden="true"> ›</span></a></p>`

const maxPublications = 10
const maxEvents = 5

/** The news and the next events of a group, as far as the site shows them. */
async function publishedBy(site: Site, place: Place): Promise<Markup> {
  const today = todayInParis(site.clock())
  const [latest, events] = await Promise.all([
    publicationsOf(site, place, {}, maxPublications),
    eventsIn(site, place, 'next date', { from: today }, maxEvents),
  ])
  const rows = await foldSeries(site, latest, today, place.communeIds)
  return html`<section aria-labelledby="actualites"><h2 id="actualites">${t.groups.news}</h2>
${rows.length > 0 ? html`${publicationRows(rows)}${moreLink(`${place.path}/publications`, t.groups.allNews)}` : html`<p class="empty">${t.acteurs.noPublication}</p>`}</section>
${
  events.length > 0 &&
  html`<section aria-labelledby="agenda"><h2 id="agenda">${t.groups.agenda}</h2>
${eventRows(events, today)}
${moreLink(`${place.path}/agenda`, t.groups.allDates)}</section>
`
}`
}

const organisation = (site: Site, { nom, slug, siren }: Group): StructuredData => ({
  '@context': 'https://schema.org',
  '@type': 'GovernmentOrganization',
  name: nom,
  url: canonicalOf(site, `/groupes/${slug}`),
  ...(siren !== null && { identifier: siren }),
})
