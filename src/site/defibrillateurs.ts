import Type from 'typebox'
import {
  askedBy,
  listByName,
  listNearest,
  listPublicOfCommune,
} from '../modules/defibrillateurs/catalogue.ts'
import { presentAt } from '../modules/defibrillateurs/present.ts'
import type { Defibrillateur } from '../modules/defibrillateurs/schema.ts'
import { pagingOf } from '../platform/http/listing/paging.ts'
import { text } from '../platform/http/validation/schemas.ts'
import { pageOfCommune } from './commune-pages.ts'
import { hoursInWords } from './hours.ts'
import { html, type Markup } from './html.ts'
import { sendPage } from './layout.ts'
import { mapLinks, pager, searchText } from './rows.ts'
import type { Pages } from './site.ts'
import { t } from './text.ts'

const perPage = 20
const Query = Type.Object({
  q: Type.Optional(text(200)),
  lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  page: Type.Optional(Type.Integer({ minimum: 1 })),
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
<section class="cards wide" aria-label="${t.dae.title}">${rows.length > 0 ? deviceRows(rows) : html`<p class="empty">${t.dae.none}</p>`}</section>`
    return { title, description: title, path: `/communes/${commune.slug}/defibrillateurs`, body }
  })

  scope.get(
    '/defibrillateurs',
    {
      config: { uncached: 'what is open changes with the clock', isList: true },
      schema: { querystring: Query },
    },
    async ({ query: { q = '', lat, lon, page = 1 } }, reply) => {
      const around = { ...(lat !== undefined && { lat }), ...(lon !== undefined && { lon }) }
      const asked = askedBy({ ...(q !== '' && { q }), ...around })
      const paging = pagingOf({ page, per_page: perPage }, perPage)
      const isAsked = q !== '' || asked.place !== null
      const found = !isAsked
        ? { rows: [], total: 0 }
        : await (asked.place === null
            ? listByName(site.lists, asked, [], paging)
            : listNearest(site.lists, asked, asked.place, [], paging))
      const last = Math.max(1, Math.ceil(found.total / perPage))
      const hrefOf = (at: number) =>
        `/defibrillateurs${searchText({ q, lat: lat?.toString(), lon: lon?.toString(), page: at === 1 ? '' : `${at}` })}`
      const rows = found.rows.map(presentAt(site.clock()))
      const body = html`<h1>${t.dae.title}</h1>
<p class="lead">${t.dae.lead} ${t.dae.emergency}</p>
<form class="search" action="/defibrillateurs" role="search">
<div><label for="q">${t.dae.label}</label>
<input type="search" id="q" name="q" value="${q}" maxlength="200"></div>
<button type="submit">${t.communes.submit}</button>
</form>
${
  isAsked &&
  html`<section class="cards wide" aria-label="${t.dae.title}">${rows.length > 0 ? deviceRows(rows) : html`<p>${page > last ? t.publications.pastEnd : t.dae.none}</p>`}
${pager(page, last, hrefOf)}</section>`
}`
      const path = isAsked ? null : '/defibrillateurs'
      return sendPage(reply, site, {
        title: t.publications.titled(t.dae.title, [
          t.publications.quoted(q),
          t.publications.pageNumber(page),
        ]),
        ...{ description: t.dae.lead, path, body },
      })
    },
  )
}

/** What is open now comes first, what is closed last. */
const rankOf = ({ ouvert }: Device) => (ouvert === null ? 1 : ouvert ? 0 : 2)

type Device = Defibrillateur & { distance_m?: number }

const deviceRows = (devices: readonly Device[]): Markup => html`<ul class="rows">
${devices.map((device) => {
  const { nom, adresse, code_postal, commune_nom, acces_complement, disponibilite, ouvert, distance_m } =
    device
  const state = ouvert === null ? t.dae.unknown : ouvert ? t.dae.open : t.dae.closed
  const hours = disponibilite && (hoursInWords(disponibilite)?.join('\u00a0; ') ?? disponibilite)
  const place = [adresse, [code_postal, commune_nom].filter(Boolean).join(' ')].filter(Boolean).join(', ')
  return html`<li><h2 class="row-title">${nom ?? adresse ?? t.dae.title}</h2>
<p class="excerpt">${place}${distance_m !== undefined && ` (${t.dae.distance(distance_m)})`}</p>
<p class="state${ouvert && ' open'}">${state}</p>
<p class="meta">${[hours, acces_complement].filter(Boolean).join(' · ')}</p>
${device.latitude !== null && device.longitude !== null && html`<p class="meta">${mapLinks(device)}</p>`}</li>
`
})}</ul>`
