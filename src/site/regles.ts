import { type Ground, listActiveGrounds } from '../modules/grounds/grounds.ts'
import { html, type Markup } from './html.ts'
import { sendPage } from './layout.ts'
import type { Pages } from './site.ts'
import { t } from './text.ts'

/** The rules and laws by which publications are refused. */
export const rulesPage: Pages = (scope) => {
  scope.get('/regles', { config: { caching: { shows: ['grounds'] } } }, async ({ site }, reply) => {
    const grounds = await listActiveGrounds(site.reads)
    const { title, description } = t.rules
    return sendPage(reply, site, {
      ...{ title, description, path: '/regles' },
      body: html`<h1>${title}</h1>
<p class="lead">${description}</p>
${part('regles', t.rules.kinds.rule, grounds, 'rule')}${part('lois', t.rules.kinds.law, grounds, 'law')}
<section aria-labelledby="suite"><h2 id="suite">${t.rules.next}</h2>
${t.rules.steps.map((step) => html`<p>${step}</p>`)}</section>`,
    })
  })
}

function part(id: string, title: string, grounds: readonly Ground[], kind: Ground['kind']): Markup | false {
  const shown = grounds.filter((ground) => ground.kind === kind)
  return (
    shown.length > 0 &&
    html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
<ul>${shown.map(
      ({ label, text, reference }) =>
        html`<li><strong>${label}</strong>. ${text}${reference !== null && html` <span class="soft">${reference}</span>`}</li>`,
    )}</ul></section>`
  )
}
