import Type from 'typebox'
import type { Alerte, AlerteFields } from '../modules/alertes/schema.ts'
import type { CommuneListed } from '../modules/communes/schema.ts'
import { maxDatesOfSeries } from '../modules/publications/reading/series.ts'
import type { Publication } from '../modules/publications/schema.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { html, type Markup } from './html.ts'
import { clipped, plainText } from './layout.ts'
import { pictogram } from './look/pictograms.ts'
import { type CoverPlace, cover } from './pictures.ts'
import type { InSeries } from './series.ts'
import { dateInWords, dayOfMonth, momentInWords, shortWeekday, t, whenInWords } from './text.ts'

/** What several pages show in the same form. */

const maxExcerpt = 180

export const pathOf = ({ slug }: Pick<Publication, 'slug'>) => `/publications/${slug}`

/** As imports write it, and people do: "Annulé : bal", "ANNULÉE – Fête", "Bal (annulé)". */
export const isCancelled = ({ titre }: Pick<Publication, 'titre'>): boolean =>
  /^[\s[(«"]*annulée?s?\s*[\]):!.,–—-]|[[(:–—-]\s*annulée?s?\s*[\])!.]*$/i.test(titre.trim())

export const publishedOn = ({ publie_le }: Publication): Markup | null =>
  publie_le &&
  html`${t.publication.on} <time datetime="${new Date(publie_le).toISOString()}">${dateInWords(todayInParis(new Date(publie_le)))}</time>`

type RowsOptions = {
  level?: 'h2' | 'h3'
  place?: CoverPlace
  /** How many of the first ones are on the first screen: their pictures load at once. */
  onFirstScreen?: number
}

export const publicationRows = (
  publications: readonly (Publication & InSeries)[],
  { level = 'h3', place = 'row', onFirstScreen = 0 }: RowsOptions = {},
): Markup => html`<ul class="rows">
${publications.map(
  (
    publication,
    at,
  ) => html`<li${covered(publication)}>${publication.type && html`<p class="kind">${publication.type.libelle}</p>`}
${heading(level, publication)}
${
  publication.date_debut &&
  html`<p class="when">${whenInWords(publication)}${after(seriesInWords(publication))}</p>
`
}<p class="excerpt">${clipped(plainText(publication.body), maxExcerpt)}</p>
${
  publication.found_in &&
  html`<p class="meta found">${t.recherche.inDocument(publication.found_in.nom)}</p>
`
}<p class="meta">${publication.acteur && `${publication.acteur.nom}, `}${publishedOn(publication)}${after(placeInWords(publication))}</p>${cover(publication.images, place, at < onFirstScreen)}</li>
`,
)}</ul>`

/** The class of a row that has a cover. */
export const covered = ({ images }: Publication) => images.length > 0 && html` class="covered"`

/** Events, each with a leaf of a calendar beside it, which repeats its words. */
export const eventRows = (
  publications: readonly (Publication & InSeries & { isCalledOff: boolean })[],
  today: string,
): Markup => html`<ul class="rows leaves">
${publications.map(
  (
    publication,
  ) => html`<li${covered(publication)}>${leafOf(publication, today)}<div><h3>${struck(linkOf(publication), publication.isCalledOff)}</h3>
<p class="when">${publication.isCalledOff && `${t.agenda.calledOff} · `}${whenInWords(publication, today)}${after(seriesInWords(publication))}</p>
<p class="meta">${[placeInWords(publication), publication.acteur?.nom].filter(Boolean).join(' · ')}</p></div>${cover(publication.images, 'row')}</li>
`,
)}</ul>`

/** How many dates of a series follow, and until when. */
export const seriesInWords = ({ nextDates }: InSeries): string | undefined =>
  nextDates && t.agenda.dates(nextDates, maxDatesOfSeries)

function leafOf({ date_debut, date_fin }: Publication, today: string): Markup {
  const isUnderWay = !date_debut || date_debut < today
  return dayTile((isUnderWay ? date_fin : date_debut) ?? today, isUnderWay ? t.agenda.to : undefined)
}

/** A leaf of a calendar, which repeats a date that stands beside it in words; filled for a week-end. */
export function dayTile(date: string, above = shortWeekday(date)): Markup {
  const [day, month] = dayOfMonth(date)
  const isWeekend = Temporal.PlainDate.from(date).dayOfWeek > 5
  return html`<span class="tile${isWeekend && ' weekend'}" aria-hidden="true">${above}<b>${day}</b>${month}</span>`
}

const after = (text = '') => text && ` · ${text}`

/** The name and the address of a place; empty when neither is known. */
export const placeInWords = ({ lieu }: Pick<Publication, 'lieu'>): string =>
  [lieu?.nom, lieu?.adresse].filter(Boolean).join(', ')

/** The place of a publication, with a link to it on a map. */
export function placeOf({ lieu }: Pick<Publication, 'lieu'>): Markup | null {
  if (lieu === null) return null
  const { latitude, longitude } = lieu
  return html`<p class="meta">${t.publication.place} : ${placeInWords({ lieu }) || t.publication.point} ${mapLinks({ latitude, longitude }) || (lieu.adresse !== null && routeLink(lieu.adresse))}</p>`
}

/** Links to the way to a point, and to it in the map of a phone: most computers open no `geo:` address. */
export const mapLinks = ({
  latitude,
  longitude,
}: Record<'latitude' | 'longitude', number | null>): Markup | false =>
  latitude !== null &&
  longitude !== null &&
  html`${routeLink(`${latitude},${longitude}`)} · <a href="geo:${latitude},${longitude}">${t.dae.openMap}</a>`

/** A link to the way to an address or to coordinates, on a page that every browser opens. */
export const routeLink = (place: string): Markup => html`<a href="${routeTo(place)}">${t.commune.route}</a>`

export const routeTo = (place: string): string =>
  `https://www.openstreetmap.org/directions?${new URLSearchParams({ to: place })}`

const linkOf = (publication: Publication) => html`<a href="${pathOf(publication)}">${publication.titre}</a>`

/** Strikes out what does not take place. */
export const struck = (text: Markup | string, isCalledOff: boolean): Markup =>
  isCalledOff ? html`<del>${text}</del>` : html`${text}`

const heading = (level: 'h2' | 'h3', publication: Publication): Markup => {
  const link = linkOf(publication)
  return level === 'h2' ? html`<h2 class="row-title">${link}</h2>` : html`<h3>${link}</h3>`
}

/** Keeps a link in the frame of an embedded page, whose other links replace the whole window. */
export const inFrame = (isEmbedded: boolean): Markup | false => isEmbedded && html` target="_self"`

/** Links to the neighbouring pages; from a page past the end, to the first. */
export const pager = (
  page: number,
  last: number,
  hrefOf: (page: number) => string,
  isEmbedded = false,
): Markup | false =>
  (last > 1 || page > last) &&
  html`<nav class="pages" aria-label="${t.publications.pages}">
${page > last && html`<a href="${hrefOf(1)}"${inFrame(isEmbedded)}>${t.publications.first}</a>`}
${page > 1 && page <= last && html`<a href="${hrefOf(page - 1)}" rel="prev"${inFrame(isEmbedded)}>${t.publications.previous}</a>`}
${page <= last && html`<span class="soft">${t.publications.page(page, last)}</span>`}
${page < last && html`<a href="${hrefOf(page + 1)}" rel="next"${inFrame(isEmbedded)}>${t.publications.next}</a>`}
</nav>`

export const departementCode = Type.String({ pattern: '^(\\d{2,3}|2[AB])$' })

/** A query string of the values that are not empty. */
export function searchText(values: Record<string, string | undefined>): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** Communes that a search has found, each with the code that was typed, if it has it. */
/** `sub`: the page of each commune that is meant, such as `/collectes`. */
export const communeRows = (
  communes: readonly CommuneListed[],
  q = '',
  sub = '',
): Markup => html`<ul class="rows">
${communes.map(
  (commune) => html`<li><h3><a href="/communes/${commune.slug}${sub}">${commune.nom}</a></h3>
<p class="meta">${codeOf(commune, q)}</p></li>
`,
)}</ul>`

function codeOf({ codes_postaux, code_insee, departement }: CommuneListed, q: string): string {
  const [typed = ''] = /\b\d[\dAB]\d{0,3}\b/i.exec(q) ?? []
  const isTyped = (code: string) => typed !== '' && code.startsWith(typed.toUpperCase())
  const [first = departement] = codes_postaux
  const postal = codes_postaux.find(isTyped)
  return postal ?? (isTyped(code_insee) ? `${first} (${t.communes.insee(code_insee)})` : first)
}

/** `places`: names of the communes that it is for, where the page does not say it. */
export const alerteBox = ({
  titre,
  message,
  niveau,
  debut,
  fin,
  created_at,
  group = null,
  places = [],
}: AlerteFields & {
  group?: Alerte['group']
  places?: readonly string[]
}): Markup => html`<article class="alerte ${niveau}">
<p class="level">${pictogram(niveau === 'info' ? 'information' : 'warning')}${t.niveaux[niveau]}</p>
<h3>${titre}</h3>
<p class="message">${message}</p>
<p class="meta">${t.alertes.since(momentInWords(debut ?? created_at))}${fin && `. ${t.alertes.until(momentInWords(fin))}`}${group && html`. ${groupLink(group)}`}${places.length > 0 && `. ${t.alertes.places(places)}`}</p>
</article>
`

/** Names the group that alerts. */
export const groupLink = ({ nom, slug }: NonNullable<Alerte['group']>): Markup =>
  html`<a href="/groupes/${slug}">${nom}</a>`

/** Values of the same label, such as two telephones, stand below one. */
export const definitions = (rows: [string, Markup][]): Markup => html`<dl class="dates">
${[...Map.groupBy(rows, ([label]) => label)].map(
  ([label, same]) => html`<dt>${label}</dt>${same.map(([, value]) => html`<dd>${value}</dd>`)}
`,
)}</dl>`

type Contact = Record<'telephone' | 'email' | 'site_web', string | null>

/** Ways to reach somebody, as links where a link is safe. */
export function contactRows({ telephone, email, site_web }: Contact): [string, Markup][] {
  const rows: [string, Markup][] = []
  if (telephone) rows.push([t.commune.telephone, phoneLink(telephone)])
  if (email) rows.push([t.commune.email, mailLink(email)])
  if (site_web) rows.push([t.commune.site_web, isWebUrl(site_web) ? webLink(site_web) : html`${site_web}`])
  return rows
}

/** Shows what a mairie tells as text; a link where all of it is a telephone number, a mail or web address. */
export function infoText(text: string): Markup {
  if (/^(\+\d|0\d)[\d .-]{7,18}\d$/.test(text)) return phoneLink(text)
  if (/^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(text)) return mailLink(text)
  return isWebUrl(text) && !/\s/.test(text) ? webLink(text) : html`${text}`
}

export const phoneLink = (number: string): Markup =>
  html`<a href="tel:${number.replace(/[^+\d]/g, '')}">${number.replaceAll(' ', '\u00a0')}</a>`
export const mailLink = (address: string): Markup =>
  html`<a href="mailto:${encodeURI(address)}">${address}</a>`
const webLink = (address: string): Markup => html`<a href="${address}" rel="nofollow">${address}</a>`

export const isWebUrl = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

export const feedTypes = {
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
}
export type FeedFormat = keyof typeof feedTypes
export const feedFormats = Object.keys(feedTypes) as FeedFormat[]
const feedNames: Record<FeedFormat, string> = { rss: 'RSS', atom: 'Atom', json: 'JSON' }

export const calendarLink = (path: string, title: string) => ({
  href: `${path}.ics`,
  type: 'text/calendar',
  title,
})

/** A link to the page that explains feeds and calendars. */
export const followLink = (path: string, secteur?: string): Markup =>
  html`<p><a class="more" href="${path}/suivre${searchText({ secteur })}">${t.follow.link}<span aria-hidden="true"> ›</span></a></p>`

/** Links from a page to its feeds, for feed readers. */
export const feedLinks = (path: string, title: string) =>
  feedFormats.map((format) => ({
    href: `${path}.${format}`,
    type: feedTypes[format],
    title: `${title} (${feedNames[format]})`,
  }))
