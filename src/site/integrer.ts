import { pageOfCommune } from './commune-pages.ts'
import { html } from './html.ts'
import type { Pages } from './site.ts'
import { t } from './text.ts'

const framed = [
  ['publications', t.publications.title],
  ['agenda', t.agenda.title],
  ['alertes', t.alertes.title],
  ['collectes', t.collectes.title],
] as const

/** What a commune copies to show its pages on its own site. */
export const integrerPage: Pages = (scope, site) => {
  pageOfCommune(scope, site, { sub: '/integrer', shows: ['communes'] }, async (commune) => {
    const path = `/communes/${commune.slug}`
    const title = t.integrer.title
    const body = html`<h1>${title}</h1>
<p class="lead">${t.integrer.lead(commune.nom)}</p>
${framed.map(
  ([sub, label]) => html`<section aria-labelledby="${sub}"><h2 id="${sub}">${label}</h2>
<pre><code>&lt;iframe src="${site.url}${path}/${sub}?embed=1" title="${label}" width="100%" height="600" style="border:0" loading="lazy">&lt;/iframe></code></pre></section>
`,
)}`
    return { title, description: title, path: `${path}/integrer`, body }
  })
}
