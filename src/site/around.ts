import Type from 'typebox'
import { listNearestCommunes } from '../modules/communes/nearest.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import { html, type Markup } from './html.ts'
import { sendPage } from './layout.ts'
import { communeRows, searchText } from './rows.ts'
import type { Pages } from './site.ts'
import { t } from './text.ts'

const Position = Type.Object({
  lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
})
const maxCommunes = 10
/** Farther away, a commune is not around. */
const maxMetres = 50_000

/** The communes around a position, which the browser gives. It is neither stored nor cached. */
export const aroundPage: Pages = (scope) => {
  scope.get(
    '/autour',
    {
      config: { caching: { never: 'the position of a resident is not stored' }, load: 'list' },
      schema: { querystring: Position },
    },
    async ({ query: { lat, lon }, caller, site }, reply) => {
      if (lat === undefined || lon === undefined) return reply.redirect('/communes', 302)
      const nearest = await listNearestCommunes(site.lists, { lat, lon }, maxCommunes, restrictionOf(caller))
      const communes = nearest.filter(({ distance_m }) => distance_m <= maxMetres)
      const body = html`<h1>${t.around.title}</h1>
<section aria-labelledby="communes"><h2 id="communes">${t.recherche.communes}</h2>
${communes.length > 0 ? communeRows(communes) : html`<p class="empty">${t.around.none} <a href="/communes">${t.communes.title}</a></p>`}</section>
<section aria-labelledby="dae"><h2 id="dae">${t.dae.title}</h2>
<p><a class="more" href="/defibrillateurs${searchText({ lat: `${lat}`, lon: `${lon}` })}">${t.dae.nearest}<span aria-hidden="true"> ›</span></a></p></section>`
      return sendPage(reply, site, { title: t.around.title, description: t.around.title, path: null, body })
    },
  )
}

/** A button for browsers that know where they are. The script of the page shows it. */
export const aroundButton = (path: string): Markup =>
  html`<button type="button" class="around" data-autour="${path}" data-attente="${t.around.waiting}" data-refus="${t.around.refused}" hidden>${t.around.button}</button>`
