import Type from 'typebox'
import { acteurFields, fieldNames } from '../modules/acteurs/fields.ts'
import { findActeursOfCommune } from '../modules/acteurs/meant.ts'
import { ByIdOrSlug, type PublicActeur } from '../modules/acteurs/reading.ts'
import { acteurTypes } from '../modules/acteurs/schema.ts'
import { type Claimability, readClaimability } from '../modules/claims/queries.ts'
import { claimsSettings } from '../modules/claims/settings.ts'
import { listShown } from '../modules/publications/reading/queries.ts'
import { isPinned } from '../modules/publications/stored-lists.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import type { Caller } from '../platform/access/caller.ts'
import { settingsOf } from '../platform/config/config.ts'
import { pagingOf } from '../platform/http/listing/paging.ts'
import { oneOf, text } from '../platform/http/validation/schemas.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { type Event, nextDatesOfActeur } from './commune/events.ts'
import {
  pageOfCommune,
  readHeader,
  SecteurOfCommune,
  secteurIn,
  tablesOfHeader,
  tablesOfPublications,
} from './commune-pages.ts'
import { hoursRow } from './hours.ts'
import { html, type Markup } from './html.ts'
import { canonicalOf, type StructuredData, sendPage } from './layout.ts'
import { daysTag } from './module.ts'
import { largestJpeg, logo, sharedWhole } from './pictures.ts'
import {
  calendarLink,
  contactRows,
  definitions,
  eventRows,
  feedLinks,
  pager,
  publicationRows,
  routeLink,
  searchText,
} from './rows.ts'
import { foldSeries } from './series.ts'
import { countReadings, type Pages, type Site, searchOf, shownActeur } from './site.ts'
import { t } from './text.ts'

const perPage = 50
const maxEvents = 10
const publicationsPerPage = 15
const tablesOfActeur = [
  ...tablesOfPublications,
  'publication_communes',
  'actor_users',
  'claims',
  ...tablesOfHeader,
  daysTag,
]
const page = Type.Optional(Type.Integer({ minimum: 1 }))
const Query = Type.Object({ q: Type.Optional(text(200)), type: Type.Optional(oneOf(acteurTypes)), page })

/** The directory of a commune, and the page of an acteur. */
export const acteurPages: Pages = (scope, site) => {
  const { requireBearer, ttlDays } = settingsOf(site.config, claimsSettings)
  const listed = { sub: '/acteurs', shows: ['acteurs', 'communes'], query: Query }
  pageOfCommune(scope, site, listed, async (commune, { q = '', type, page = 1 }) => {
    const query = { commune_id: commune.id, q, page, ...(type !== undefined && { type: [type] }) }
    const { data, meta, near } = await findActeursOfCommune(site.lists, query, perPage)
    const path = `/communes/${commune.slug}/acteurs`
    const title = t.acteurs.of(commune.nom)
    const hrefOf = (at: number) => `${path}${searchText({ q, type, page: at === 1 ? '' : `${at}` })}`
    const ofType = (one?: string) => `${path}${searchText({ q, type: one })}`
    const none = q === '' ? t.acteurs.none : t.acteurs.noneFound(q)
    const body = html`<h1>${title}</h1>
<form class="search" action="${path}" role="search">
<div><label for="q">${t.acteurs.search}</label>
<input type="search" id="q" name="q" value="${q}" maxlength="200">${type !== undefined && html`<input type="hidden" name="type" value="${type}">`}</div>
<button type="submit">${t.search}</button>
</form>
<nav aria-label="${t.publications.type}"><ul class="links">
<li><a href="${ofType()}"${type === undefined && html` aria-current="page"`}>${t.publications.allTypes}</a></li>
${acteurTypes.map(
  (
    one,
  ) => html`<li><a href="${ofType(one)}"${one === type && html` aria-current="page"`}>${t.acteurs.types[one]}</a></li>
`,
)}</ul></nav>
<section class="cards wide" aria-label="${t.acteurs.title}">
${data.length > 0 ? acteurRows(data, 'h2') : html`<p>${page > meta.last_page ? t.publications.pastEnd : none}</p>`}
${pager(page, meta.last_page, hrefOf)}</section>
${near.length > 0 && nearActeurs(near)}
${!requireBearer && html`<p class="below"><a href="/communes/${commune.slug}/inscrire">${t.inscrire.link}</a></p>`}`
    const shown = [
      type !== undefined && t.acteurs.types[type],
      t.publications.quoted(q),
      t.publications.pageNumber(page),
    ]
    return {
      title: t.publications.titled(title, shown),
      description: title,
      path: q === '' && page <= meta.last_page ? hrefOf(page) : null,
      body,
    }
  })

  scope.get(
    '/acteurs/:idOrSlug',
    {
      config: { caching: { shows: tablesOfActeur }, load: 'list' },
      schema: { params: ByIdOrSlug, querystring: Type.Object({ page, ...SecteurOfCommune.properties }) },
    },
    async (request, reply) => {
      const { query, caller, url, site } = request
      const { idOrSlug } = request.params
      const { page = 1 } = query
      const acteur = await shownActeur(site, caller, idOrSlug)
      const path = `/acteurs/${acteur.slug}`
      if (acteur.slug !== idOrSlug) return reply.redirect(`${path}${searchOf(url)}`, 301)
      const home = homeOfActeur(acteur, caller)
      const today = todayInParis(site.clock())
      const ofActeur = { acteurId: acteur.id, communeIds: restrictionOf(caller) }
      const [{ rows, total }, events, claimability, header] = await Promise.all([
        publicationsOfActeur(site, caller, acteur, publicationsPerPage, page),
        page === 1 ? nextDatesOfActeur(site, ofActeur, today, maxEvents) : [],
        requireBearer ? null : readClaimability(site.lists, acteur.id, ttlDays),
        home && readHeader(site, home, caller, secteurIn(home, query)),
      ])
      const last = Math.max(1, Math.ceil(total / publicationsPerPage))
      const hrefOf = (at: number) => `${path}${searchText({ page: at === 1 ? '' : `${at}` })}`
      const none = page > last ? t.publications.pastEnd : t.acteurs.noPublication
      const body = html`${aboutActeur(acteur, today)}
${
  events.length > 0 &&
  html`<section aria-labelledby="dates"><h2 id="dates">${t.agenda.nextDates}</h2>
${eventRows(events.map(unsigned), today)}</section>
`
}<section aria-labelledby="publications"><h2 id="publications">${t.acteurs.publications}</h2>
${rows.length > 0 ? publicationRows(rows) : html`<p class="empty">${none}</p>`}
${pager(page, last, hrefOf)}</section>
${claimability && claimLink(path, claimability)}`
      countReadings(request, 'acteur', acteur)
      return sendPage(reply, site, {
        title: t.publications.titled(acteur.nom, [t.publications.pageNumber(page)]),
        description: acteur.description ?? acteur.nom,
        path: page <= last ? hrefOf(page) : null,
        body,
        crumbs: home
          ? [
              { label: home.nom, href: `/communes/${home.slug}` },
              { label: t.acteurs.title, href: `/communes/${home.slug}/acteurs` },
            ]
          : [],
        ...(header && { commune: header }),
        ...(acteur.logo && { image: sharedWhole({ ...acteur.logo, alt: acteur.nom }) }),
        data: [organisation(site, acteur, header?.path)],
        alternates: [
          ...feedLinks(`${path}/publications`, acteur.nom),
          calendarLink(`${path}/agenda`, t.agenda.of(acteur.nom)),
        ],
      })
    },
  )
}

/** An event without its acteur, whose page it stands on. */
const unsigned = (event: Event): Event => ({ ...event, acteur: null })

/** The commune whose head the pages of an acteur have; null if the site does not show it. */
export function homeOfActeur({ commune }: PublicActeur, caller: Caller): PublicActeur['commune'] {
  const communeIds = restrictionOf(caller)
  return communeIds === null || communeIds.includes(commune?.id ?? '') ? commune : null
}

const claimLink = (path: string, claimability: Claimability): Markup | false => {
  if (claimability === 'pending') return html`<p class="below">${t.claim.pending}</p>`
  return (
    claimability === 'open' && html`<p class="below"><a href="${path}/revendiquer">${t.claim.link}</a></p>`
  )
}

/** Lists what an acteur publishes, pinned ones first. */
export async function publicationsOfActeur(
  site: Site,
  caller: Caller,
  { id }: Pick<PublicActeur, 'id'>,
  perPage: number,
  page = 1,
) {
  const communeIds = restrictionOf(caller)
  const list = { filters: { acteur_id: id }, communeIds, comesFirst: isPinned }
  const { rows, total } = await listShown(site.lists, list, pagingOf({ page, per_page: perPage }, perPage))
  return { rows: await foldSeries(site, rows, todayInParis(site.clock()), communeIds), total }
}

const withRowOfTheirOwn: ReadonlySet<string> = new Set([
  ...['description', 'adresse', 'telephone', 'email', 'site_web', 'horaires'],
])

function aboutActeur(acteur: PublicActeur, today: string): Markup {
  const { nom, badge, description, adresse } = acteur
  const contact: [string, Markup][] = [
    ...(adresse ? [[t.commune.adresse, html`${adresse} ${routeLink(adresse)}`] as [string, Markup]] : []),
    ...contactRows(acteur),
    ...fieldNames.flatMap((name): [string, Markup][] => {
      const value = acteur[name]
      return value === null || withRowOfTheirOwn.has(name)
        ? []
        : [[acteurFields[name].label.fr, html`${value}`]]
    }),
    ...hoursRow(acteur.horaires, today),
  ]
  return html`<div class="named">${logo(acteur.logo)}<h1>${nom}</h1></div>
${badge && html`<p class="tag">${badge}</p>`}
${description && html`<p class="lead description">${description}</p>`}
${
  contact.length > 0 &&
  html`<section aria-labelledby="coordonnees"><h2 id="coordonnees">${t.acteurs.contact}</h2>
${definitions(contact)}</section>`
}`
}

/** Acteurs whose names are like what was typed, below those that have it. */
export const nearActeurs = (acteurs: readonly PublicActeur[]): Markup => html`
<section class="cards wide" aria-labelledby="proches"><h2 id="proches">${t.acteurs.near}</h2>
${acteurRows(acteurs, 'h3')}</section>`

export const acteurRows = (
  acteurs: readonly PublicActeur[],
  level: 'h2' | 'h3',
  isFromAnywhere = false,
): Markup => html`<ul class="rows">
${acteurs.map(({ slug, nom, type, description, commune, logo: image }) => {
  const link = html`<a href="/acteurs/${slug}">${nom}</a>`
  return html`<li${image && html` class="covered"`}><span class="tag">${t.acteurs.types[type]}</span>
${level === 'h2' ? html`<h2 class="row-title">${link}</h2>` : html`<h3>${link}</h3>`}
${description && html`<p class="excerpt">${description.slice(0, 200)}</p>`}${isFromAnywhere && commune && html`<p class="meta">${commune.nom}</p>`}${logo(image)}</li>
`
})}</ul>`

const organisation = (
  site: Site,
  { nom, slug, type, adresse, telephone, email, logo }: PublicActeur,
  place: string | undefined,
): StructuredData => ({
  '@context': 'https://schema.org',
  '@type': type === 'commerce' ? 'LocalBusiness' : type === 'mairie' ? 'GovernmentOffice' : 'Organization',
  name: nom,
  url: canonicalOf(site, `/acteurs/${slug}`, place),
  ...(logo && { logo: `${site.url}${largestJpeg(logo)}` }),
  ...(adresse && { address: adresse }),
  ...(telephone && { telephone }),
  ...(email && { email }),
})
