import { listElus } from '../modules/communes/queries.ts'
import { pageOfCommune } from './commune-pages.ts'
import { html } from './html.ts'
import type { Pages } from './site.ts'
import { t } from './text.ts'

/** The council of a commune. */
export const elusPage: Pages = (scope, site) => {
  pageOfCommune(scope, site, { sub: '/elus', shows: ['communes', 'elus'] }, async (commune) => {
    const elus = await listElus(site.reads, commune.id)
    const title = t.elus.of(commune.nom)
    const body = html`<h1>${title}</h1>
${
  elus.length === 0
    ? html`<section><p>${t.elus.none}</p><p>${t.commune.askMairie}</p></section>`
    : html`<section aria-label="${t.elus.title}"><ul class="rows">
${elus.map(
  ({ prenom, nom, fonction }) => html`<li><h2 class="row-title">${prenom} ${nom}</h2>
<p class="meta">${fonction}</p></li>
`,
)}</ul></section>`
}`
    return { title, description: title, path: `/communes/${commune.slug}/elus`, body }
  })
}
