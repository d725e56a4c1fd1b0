import Type from 'typebox'
import { locatePlace } from '../modules/addresses/locating.ts'
import { listNearestCommunes } from '../modules/communes/nearest.ts'
import { findCommune, isNamedBy } from '../modules/communes/reading.ts'
import type { Commune, CommuneListed } from '../modules/communes/schema.ts'
import { askedAround, askedBy } from '../modules/defibrillateurs/catalogue.ts'
import { type CatalogueFilters, listAsked, listPublicOfCommune } from '../modules/defibrillateurs/listing.ts'
import { presentAt } from '../modules/defibrillateurs/present.ts'
import type { Defibrillateur } from '../modules/defibrillateurs/schema.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import type { Caller } from '../platform/access/caller.ts'
import { hasWord } from '../platform/formats/text.ts'
import { pagingOf } from '../platform/http/listing/paging.ts'
import { text } from '../platform/http/validation/schemas.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { aroundButton } from './around.ts'
import { pageOfCommune } from './commune-pages.ts'
import { mapButton } from './defibrillateurs/map.ts'
import { findCommunes } from './home.ts'
import { hoursInWords } from './hours.ts'
import { html, type Markup, textOf } from './html.ts'
import { sendPage } from './layout.ts'
import { mapLinks, pager, searchText } from './rows.ts'
import type { Pages, Site } from './site.ts'
import { t } from './text.ts'

const perPage = 20
const Query = Type.Object({
  q: Type.Optional(text(200)),
  lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  page: Type.Optional(Type.Integer({ minimum: 1 })),
})
/** What the map shows of an area at once: as many as a page of a list may have. */
const mostOnMap = 100
const mostCommunes = 40
/** Communes that a text may mean, which names none. */
const mostMeant = 5
const Area = Type.Object({
  lat: Type.Number({ minimum: -90, maximum: 90 }),
  lon: Type.Number({ minimum: -180, maximum: 180 }),
  rayon: Type.Integer({ minimum: 1, maximum: 50_000 }),
})

/** The defibrillators of a commune, and the search in all of France. */
export const defibrillateurPages: Pages = (scope, site) => {
  pageOfCommune(scope, site, { sub: '/defibrillateurs', shows: null }, async (commune) => {
    const rows = (await listPublicOfCommune(site.reads, commune.id))
      .map(presentAt(site.clock()))
      .toSorted((one, other) => rankOf(one) - rankOf(other))
    const title = t.dae.of(commune.nom)
    const body = html`<h1>${title}</h1>
<p class="lead">${t.dae.emergency}</p>
<div class="deeds">${aroundButton('/defibrillateurs')}${mapButton(commune)}</div>
<section class="cards wide" aria-label="${t.dae.title}">${rows.length > 0 ? deviceRows(rows, todayInParis(site.clock())) : html`<p class="empty">${t.dae.none}</p>`}</section>`
    const path = `/communes/${commune.slug}/defibrillateurs`
    return { title, description: title, path, body, script: [site.files.around, site.files.mapButton] }
  })

  scope.get(
    '/defibrillateurs',
    {
      config: { caching: { never: 'what is open changes with the clock' }, load: 'list' },
      schema: { querystring: Query },
    },
    async ({ query: { q = '', lat, lon, page = 1 }, caller, site }, reply) => {
      const around = { ...(lat !== undefined && { lat }), ...(lon !== undefined && { lon }) }
      const asked = askedBy({ ...(q !== '' && { q }), ...around })
      const paging = pagingOf({ page, per_page: perPage }, perPage)
      const isAsked = q !== '' || asked.place !== null
      const named = isAsked ? await listAsked(site.lists, asked, [], paging) : { rows: [], total: 0 }
      const isElsewhere = named.total === 0 && asked.place === null && hasWord(q)
      const meant = isElsewhere ? await findMeant(site, caller, q) : null
      const found = meant === null ? named : await listAsked(site.lists, meant.asked, [], paging)
      const last = Math.max(1, Math.ceil(found.total / perPage))
      const hrefOf = (at: number) =>
        `/defibrillateurs${searchText({ q, lat: lat?.toString(), lon: lon?.toString(), page: at === 1 ? '' : `${at}` })}`
      const maybe = isElsewhere && meant === null ? await findCommunes(site, caller, q, mostMeant) : []
      const isAround = asked.place !== null || meant !== null
      const rows = usableFirst(found.rows.map(presentAt(site.clock())), isAround)
      const body = html`<h1>${t.dae.title}</h1>
<p class="lead">${t.dae.lead} ${t.dae.emergency}</p>
<form class="search" action="/defibrillateurs" role="search">
<div><label for="q">${t.dae.label}</label>
<input type="search" id="q" name="q" value="${q}" maxlength="200"></div>
<button type="submit">${t.communes.submit}</button>
</form>
<div class="deeds">${aroundButton('/defibrillateurs')}${mapButton(await viewOf(site, asked, meant))}</div>
${
  isAsked &&
  html`<section class="cards wide" aria-label="${t.dae.title}">${meant && html`<h2>${meant.title}</h2>`}${rows.length > 0 ? deviceRows(rows, todayInParis(site.clock())) : html`<p>${page > last ? t.publications.pastEnd : t.dae.none}</p>`}
${maybe.length > 0 && perhaps(maybe)}
${pager(page, last, hrefOf)}</section>`
}`
      const path = isAsked ? null : '/defibrillateurs'
      return sendPage(reply, site, {
        title: t.publications.titled(t.dae.title, [
          t.publications.quoted(q),
          t.publications.pageNumber(page),
        ]),
        ...{ description: t.dae.lead, path, body, script: [site.files.around, site.files.mapButton] },
      })
    },
  )

  scope.get(
    '/defibrillateurs/carte.json',
    {
      config: { caching: { never: 'what is open changes with the clock' }, load: 'list' },
      schema: { querystring: Area },
    },
    async ({ query, caller, site }, reply) => {
      const paging = pagingOf({ per_page: mostOnMap }, mostOnMap)
      const [{ rows, total }, communes] = await Promise.all([
        listAsked(site.lists, askedBy(query), [], paging),
        listNearestCommunes(site.lists, query, mostCommunes, restrictionOf(caller)),
      ])
      // Distances would be those from the middle of the map.
      const devices = rows.map(({ distance_m, ...row }) => row).map(presentAt(site.clock()))
      return reply.type('application/json').send({
        ...{ total, rows: textOf(deviceRows(devices, todayInParis(site.clock()))) },
        communes: communes.map(({ nom, latitude, longitude }) => ({ nom, latitude, longitude })),
      })
    },
  )
}

type Meant = { title: string; asked: CatalogueFilters; label?: string }
type Seen = Parameters<typeof mapButton>[0]

/** Where the map begins: around what was asked for, else at the place of the domain. */
async function viewOf(site: Site, asked: CatalogueFilters, meant: Meant | null): Promise<Seen> {
  const at = ({ place }: CatalogueFilters) => place && { latitude: place.lat, longitude: place.lon }
  if (asked.place !== null) return { ...at(asked), label: t.dae.map.here }
  if (meant !== null) return { ...at(meant.asked), ...(meant.label && { label: meant.label }) }
  const [first] = site.domain?.communeIds ?? []
  const commune = first === undefined ? null : await findCommune(site.reads, first)
  return commune ?? {}
}

/** Finds the commune or the address that a text names, and what to list around it. */
async function findMeant(site: Site, caller: Caller, q: string): Promise<Meant | null> {
  const commune = await findNamedCommune(site, caller, q)
  if (commune !== null) return { title: t.dae.around(commune.nom), asked: askedAround(commune) }
  const place = await locatePlace(site.lists, q, restrictionOf(caller))
  return place && { title: t.dae.near(place.nom), asked: askedAround(place), label: place.nom }
}

/** Finds the commune that a text names, by its beginning too if no other can be meant. */
async function findNamedCommune(site: Site, caller: Caller, q: string): Promise<Commune | null> {
  const found = await findCommunes(site, caller, q, 2)
  const [first] = found
  if (first === undefined) return null
  const isMeant = found.length === 1 || (await isNamedBy(site.lists, first.id, q))
  return isMeant ? findCommune(site.reads, first.id) : null
}

/** Asks which of these communes a text means. */
const perhaps = (communes: readonly CommuneListed[]): Markup => html`<p>${t.dae.perhaps}</p>
<ul class="links">${communes.map(
  ({
    nom,
    departement,
  }) => html`<li><a href="/defibrillateurs${searchText({ q: nom })}">${nom} (${departement})</a></li>
`,
)}</ul>`

/** Around a position, what is closed comes last on its page; what has no known hours is worth the way. */
const usableFirst = (devices: Device[], isAround: boolean): Device[] =>
  isAround
    ? devices.toSorted((one, other) => Number(one.ouvert === false) - Number(other.ouvert === false))
    : devices

/** What is open now comes first, what is closed last. */
const rankOf = ({ ouvert }: Device) => (ouvert === null ? 1 : ouvert ? 0 : 2)

type Device = Defibrillateur & { distance_m?: number }

const deviceRows = (devices: readonly Device[], today: string): Markup => html`<ul class="rows">
${devices.map((device) => {
  const { nom, adresse, code_postal, commune_nom, acces_complement, disponibilite, ouvert, distance_m } =
    device
  const state = ouvert === null ? t.dae.unknown : ouvert ? t.dae.open : t.dae.closed
  const hours = disponibilite && (hoursInWords(disponibilite, today)?.join('\u00a0; ') ?? disponibilite)
  const place = [adresse, [code_postal, commune_nom].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return html`<li><h2 class="row-title">${nom ?? adresse ?? t.dae.title}</h2>
<p class="excerpt">${place}${distance_m !== undefined && ` (${t.dae.distance(distance_m)})`}</p>
<p class="state${ouvert ? ' open' : ouvert === false && ' closed'}">${state}</p>
<p class="meta">${[hours, acces_complement].filter(Boolean).join(' · ')}</p>
${device.latitude !== null && device.longitude !== null && html`<p class="meta">${mapLinks(device)}</p>`}</li>
`
})}</ul>`
