import type * as schema from 'schema-dts'
import Type from 'typebox'
import { mapCommunes } from '../modules/acteurs/queries.ts'
import { type FieldName, namesOf, publicationFields } from '../modules/publications/fields.ts'
import { cursorAfter, readListPosition } from '../modules/publications/reading/pages.ts'
import { listPublicationTypes } from '../modules/publications/reading/queries.ts'
import { type DateOfSeries, mapNextDates } from '../modules/publications/reading/series.ts'
import type { Publication } from '../modules/publications/schema.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import type { Caller } from '../platform/access/caller.ts'
import { notFound } from '../platform/errors.ts'
import { IdOrSlug, text } from '../platform/http/validation/schemas.ts'
import { daysBetween, daysLater } from '../platform/time/days.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { eventButtons } from './commune/calendar-buttons.ts'
import {
  readHeader,
  SecteurOfCommune,
  secteurIn,
  tablesOfHeader,
  tablesOfPublications,
} from './commune-pages.ts'
import { html, type Markup, sanitisedText } from './html.ts'
import { canonicalOf, clipped, type Page, plainText, type StructuredData, sendPage } from './layout.ts'
import { daysTag } from './module.ts'
import { documentList, largestJpeg, picture, sharedImage } from './pictures.ts'
import { publicationsOf } from './place.ts'
import { pageOfPlace } from './place-pages.ts'
import {
  feedLinks,
  followLink,
  inFrame,
  isCancelled,
  isWebUrl,
  pathOf,
  placeOf,
  publicationRows,
  publishedOn,
  searchText,
  struck,
} from './rows.ts'
import { foldSeries } from './series.ts'
import { countReadings, type Pages, type Site, type SiteBase, searchOf, shownPublication } from './site.ts'
import { capital, dateInWords, dayInWords, t, whenInWords } from './text.ts'

const perPage = 20
const Query = Type.Object({
  q: Type.Optional(text(200)),
  type: Type.Optional(Type.String({ pattern: '^[a-z0-9-]{0,100}$' })),
  after: Type.Optional(Type.String({ maxLength: 200 })),
  embed: Type.Optional(Type.String({ pattern: '^[01]$' })),
})

/** The publications of a commune or a group, and one publication. */
export const publicationPages: Pages = (scope, site) => {
  const listed = {
    sub: '/publications',
    shows: [...tablesOfPublications, 'publication_communes', daysTag],
    query: Query,
  }
  pageOfPlace(scope, site, listed, async (place, { q = '', type = '', after = '', embed }, { site }) => {
    const types = await listPublicationTypes(site.reads)
    const typeId = types.find(({ slug }) => slug === type)?.id
    if (type !== '' && typeId === undefined) throw notFound()
    const position = after === '' ? undefined : readListPosition(after)
    if (position === null) throw notFound()
    const filters = { ...(q !== '' && { q }), ...(typeId !== undefined && { type_id: typeId }) }
    const rows = await publicationsOf(site, place, filters, perPage + 1, position)
    const shown = rows.slice(0, perPage)
    const folded = await foldSeries(site, shown, todayInParis(site.clock()), place.communeIds)
    const last = shown.at(-1)
    const next = rows.length > perPage && last !== undefined ? cursorAfter(last) : null
    const path = `${place.path}/publications`
    const isEmbedded = embed === '1'
    const hrefAfter = (cursor: string) => `${path}${searchText({ q, type, after: cursor, embed })}`
    const none = position === undefined ? t.publications.none : t.publications.pastEnd
    const body = html`<h1>${t.publications.of(place.nom)}</h1>
${!isEmbedded && filterForm(path, q, type, types)}
<section class="cards wide" aria-label="${t.publications.title}">
${folded.length > 0 ? publicationRows(folded, { level: 'h2', place: 'card', onFirstScreen: 3 }) : html`<p class="empty">${none}</p>`}
${
  (position !== undefined || next !== null) &&
  html`<nav class="pages" aria-label="${t.publications.pages}">
${position !== undefined && html`<a href="${hrefAfter('')}"${inFrame(isEmbedded)}>${t.publications.first}</a>`}
${next !== null && html`<a href="${hrefAfter(next)}" rel="next"${inFrame(isEmbedded)}>${t.publications.next}</a>`}
</nav>`
}</section>
${!isEmbedded && followLink(place.path)}`
    return {
      title: t.publications.titled(t.publications.of(place.nom), [
        types.find(({ slug }) => slug === type)?.libelle ?? '',
        t.publications.quoted(q),
        position !== undefined && t.publications.further,
      ]),
      description: t.publications.of(place.nom),
      path: q === '' && position === undefined && !isEmbedded ? hrefAfter('') : null,
      alternates: feedLinks(path, t.publications.of(place.nom)),
      body,
      isEmbedded,
    }
  })

  scope.get(
    '/publications/:slug',
    {
      config: {
        caching: { shows: [...tablesOfPublications, 'publication_communes', ...tablesOfHeader, daysTag] },
      },
      schema: {
        params: Type.Object({ slug: IdOrSlug('Slug or id', 'fete-de-la-pomme') }),
        querystring: SecteurOfCommune,
      },
    },
    async (request, reply) => {
      const { params, query, caller, url, site } = request
      const { slug } = params
      const publication = await shownPublication(site, caller, slug)
      if (publication.slug !== slug) return reply.redirect(`${pathOf(publication)}${searchOf(url)}`, 301)
      const communes = await communesOf(site, caller, publication)
      const home = homeOf(publication, communes)
      const today = todayInParis(site.clock())
      const [header, series] = await Promise.all([
        home && readHeader(site, home, caller, secteurIn(home, query)),
        mapNextDates(site.reads, [publication], today, restrictionOf(caller)),
      ])
      const others = [...series.values()].flat().filter(({ id }) => id !== publication.id)
      countReadings(request, 'publication', publication)
      return sendPage(reply, site, {
        ...onePublication(site, publication, communes, others.slice(0, maxDates)),
        ...(header && { commune: header }),
      })
    },
  )
}

/** The address of the cover for search engines. */
const imageOf = ({ url }: Site, { images: [cover] }: Publication): string | null =>
  cover === undefined ? null : `${url}${largestJpeg(cover)}`

const labelOf = (name: FieldName) => publicationFields[name].label.fr

type CommuneNamed = { id: string; slug: string; nom: string }

export const homeOf = ({ commune }: Publication, communes: CommuneNamed[]): CommuneNamed | undefined =>
  communes.find(({ slug }) => slug === commune?.slug) ?? communes[0]

/** The communes of a publication that the site shows. */
export async function communesOf({ reads }: SiteBase, caller: Caller, { commune_ids }: Publication) {
  const communeIds = restrictionOf(caller)
  const shown = commune_ids.filter((id) => communeIds === null || communeIds.includes(id))
  return [...(await mapCommunes(reads, shown)).values()]
}

/** Shows a publication, with those of its communes that the site shows. */
function onePublication(
  site: Site,
  publication: Publication,
  communes: CommuneNamed[],
  dates: readonly DateOfSeries[],
): Page {
  const { titre, body: text, acteur, type, source_url } = publication
  const home = homeOf(publication, communes)
  const when = whenInWords(publication)
  const lines = namesOf('line').flatMap((name) =>
    publication[name] ? html`<p class="meta">${labelOf(name)} : ${publication[name]}</p>` : [],
  )
  const path = pathOf(publication)
  const [cover, ...others] = publication.images
  const body = html`<article class="wide">
${
  type &&
  html`<p class="tag">${type.libelle}</p>
`
}<h1>${titre}</h1>
<p class="meta">${acteur && html`${t.publication.by} <a href="/acteurs/${acteur.slug}">${acteur.nom}</a> `}${publishedOn(publication)}</p>
${
  (when || publication.lieu || lines.length > 0) &&
  html`<div class="facts">${when && html`<p class="when">${when}</p>`}
${nextDates(publication, todayInParis(site.clock()))}${placeOf(publication)}${lines}</div>`
}
${cover && picture(cover, { isFirst: true })}
<div class="text">${sanitisedText(text)}</div>${others.map((image) => picture(image))}${publication.documents.length > 0 && documentList(publication.documents)}
${
  communes.length > 1 &&
  html`<p class="meta">${t.publication.where} : ${communes
    .toSorted((one, other) => one.nom.localeCompare(other.nom, 'fr'))
    .map(({ slug, nom }, at) => html`${at > 0 && ', '}<a href="/communes/${slug}">${nom}</a>`)}</p>
`
}${source_url && isWebUrl(source_url) && html`<p><a href="${source_url}" rel="nofollow noopener">${t.publication.sourceLink}</a></p>`}${datesToKeep(site, publication, dates)}
<p class="below"><a href="${path}/signaler">${t.publication.report}</a></p>
</article>`
  return {
    title: titre,
    description: plainText(text),
    path,
    body,
    image: cover ? sharedImage(cover) : null,
    crumbs: home ? [{ label: home.nom, href: `/communes/${home.slug}` }] : [],
    data: [structured(site, publication, home)],
  }
}

const maxDates = 10

/** Links to other dates and to one's own calendar: below the text, which on a phone they would push out of sight. */
function datesToKeep(site: Site, publication: Publication, dates: readonly DateOfSeries[]): Markup | false {
  const today = todayInParis(site.clock())
  const [others, buttons] = [otherDates(dates, today), eventButtons(site, publication, today)]
  return (
    (others || buttons) &&
    html`<div class="facts">${others}${buttons && html`<h2>${t.calendar.add}</h2>${buttons}`}</div>`
  )
}

/** The next dates of a series, those called off and moved included. */
function nextDates({ recurrence, dates }: Publication, today: string): Markup | false {
  if (recurrence === null) return false
  const moves = recurrence.occurrences.filter(({ date }) => date >= today)
  const moved = new Map(moves.map(({ date, reportee_au }) => [date, reportee_au]))
  const days = [...dates, ...moved.keys()].sort().slice(0, maxDates)
  return (
    days.length > 0 &&
    html`<h2>${t.agenda.nextDates}</h2><ul class="plain">
${days.map((day) => {
  const to = moved.get(day)
  const note =
    to === undefined ? '' : ` · ${to === null ? t.agenda.calledOff : t.agenda.movedTo(dateInWords(to))}`
  return html`<li>${struck(capital(dayInWords(day, today)), to !== undefined)}${note}</li>
`
})}</ul>`
  )
}

/** The other dates of a series whose dates are publications of their own. */
const otherDates = (others: readonly DateOfSeries[], today: string): Markup | false =>
  others.length > 0 &&
  html`<h2>${t.agenda.otherDates}</h2><ul class="plain">
${others.map(
  ({ slug, jour }) => html`<li><a href="${pathOf({ slug })}">${capital(dayInWords(jour, today))}</a></li>
`,
)}</ul>`

function structured(site: Site, publication: Publication, home?: CommuneNamed): StructuredData {
  const { titre, body, date_debut, date_fin, heure_debut, heure_fin, publie_le, updated_at } = publication
  const { acteur } = publication
  const image = imageOf(site, publication)
  const addressOf = (path: string) => canonicalOf(site, path, home && `/communes/${home.slug}`)
  const organiser: schema.Organization | null = acteur && {
    '@type': 'Organization',
    name: acteur.nom,
    url: addressOf(`/acteurs/${acteur.slug}`),
  }
  const shared = {
    '@context': 'https://schema.org',
    url: addressOf(pathOf(publication)),
    description: clipped(plainText(body), 300),
    ...(image && { image }),
  } as const
  if (date_debut === null)
    return {
      ...shared,
      '@type': 'Article',
      headline: titre,
      ...(publie_le && { datePublished: publie_le.toISOString() }),
      dateModified: updated_at.toISOString(),
      ...(organiser && { author: organiser }),
    }
  const location = placed(publication, home)
  // Of a series the next date, which lasts as long as the first.
  const first = publication.prochaine_date ?? date_debut
  const last = date_fin === null ? first : daysLater(first, daysBetween(date_debut, date_fin))
  return {
    ...shared,
    '@type': 'Event',
    name: titre,
    startDate: moment(first, heure_debut),
    ...((date_fin || heure_fin) && { endDate: endOf(last, heure_fin) }),
    eventStatus: isCancelled(publication)
      ? 'https://schema.org/EventCancelled'
      : 'https://schema.org/EventScheduled',
    ...(location && { location }),
    ...(organiser && { organizer: organiser }),
  }
}

/** A day, or a time by the clock of the place. */
const moment = (date: string, hour: string | null) => (hour === null ? date : `${date}T${hour}`)
/** As the last hour, 00:00 is the end of the day. */
const endOf = (date: string, hour: string | null) =>
  moment(hour === '00:00' ? daysLater(date, 1) : date, hour)

/** The place as structured data: its own, else the commune. */
function placed({ lieu }: Publication, home?: CommuneNamed): schema.Place | null {
  const name = lieu?.nom ?? lieu?.adresse ?? home?.nom
  const address = lieu?.adresse ?? home?.nom
  const { latitude = null, longitude = null } = lieu ?? {}
  const geo: schema.GeoCoordinates | null =
    latitude === null || longitude === null ? null : { '@type': 'GeoCoordinates', latitude, longitude }
  if (name === undefined && geo === null) return null
  return { '@type': 'Place', ...(name && { name }), ...(address && { address }), ...(geo && { geo }) }
}

type Types = readonly { slug: string; libelle: string }[]

const filterForm = (
  path: string,
  q: string,
  type: string,
  types: Types,
): Markup => html`<details class="filters"${(q !== '' || type !== '') && html` open`}><summary>${t.publications.narrow}</summary>
<form class="search" action="${path}" role="search">
<div><label for="q">${t.publications.words}</label>
<input type="search" id="q" name="q" value="${q}" maxlength="200"></div>
<div><label for="type">${t.publications.type}</label>
<select id="type" name="type"><option value="">${t.publications.allTypes}</option>
${types.map(
  ({ slug, libelle }) => html`<option value="${slug}"${slug === type && html` selected`}>${libelle}</option>
`,
)}</select></div>
<button type="submit">${t.publications.filter}</button>
</form></details>`
