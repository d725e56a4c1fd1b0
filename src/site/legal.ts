import { html, type Markup } from './html.ts'
import { sendPage } from './layout.ts'
import type { Pages, Site } from './site.ts'
import { t } from './text.ts'

const unchanging: string[] = []

/** The legal notice, what is kept of readers, and the accessibility declaration. */
export const legalPages: Pages = (scope, site) => {
  const legal = html`<h1>${t.legal.title}</h1>
<section aria-labelledby="responsable"><h2 id="responsable">${t.legal.owner}</h2>
<p>${site.settings.owner ?? t.legal.unset}</p></section>
<section aria-labelledby="contact"><h2 id="contact">${t.legal.contact}</h2>
<p>${contactOf(site)}</p></section>
<section><p>${t.legal.data}</p>
<p>${t.legal.software}</p></section>`
  const privacy = html`<h1>${t.privacy.title}</h1>
<div class="text">${t.privacy.text.map((line) => html`<p>${line}</p>`)}</div>`
  const accessibility = html`<h1>${t.accessibility.title}</h1>
<section aria-labelledby="etat"><h2 id="etat">${t.accessibility.state}</h2>
${t.accessibility.text.map((line) => html`<p>${line}</p>`)}
<p>${t.accessibility.date}</p></section>
<section aria-labelledby="aide"><h2 id="aide">${t.accessibility.help}</h2>
<p>${t.accessibility.contact} ${contactOf(site)}</p>
<p>${t.accessibility.defender}</p></section>`
  const all: [string, string, Markup][] = [
    ['/mentions-legales', t.legal.title, legal],
    ['/confidentialite', t.privacy.title, privacy],
    ['/accessibilite', t.accessibility.title, accessibility],
  ]
  for (const [path, title, body] of all)
    scope.get(path, { config: { shows: unchanging } }, async (_request, reply) =>
      sendPage(reply, site, { title, description: `${title}. ${site.settings.name}`, path, body }),
    )
}

/** The operator's contact as a link, or that it is missing. */
function contactOf({ settings: { contact } }: Site): Markup {
  if (contact === null) return html`${t.legal.unset}`
  const href = contact.includes('://') ? contact : `mailto:${contact}`
  return html`<a href="${href}">${contact}</a>`
}
