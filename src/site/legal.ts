import { html, type Markup } from './html.ts'
import { sendPage } from './layout.ts'
import type { Pages, Site } from './site.ts'
import { t } from './text.ts'

const unchanging: string[] = []

/** The legal notice, what is kept of readers, and the accessibility declaration, in the words that French law asks. */
export const legalPages: Pages = (scope, site) => {
  const all: [string, string, Markup][] = [
    ['/mentions-legales', t.legal.title, legalNotice(site)],
    ['/confidentialite', t.privacy.title, privacy(site)],
    ['/accessibilite', t.accessibility.heading, accessibility(site)],
  ]
  for (const [path, title, parts] of all)
    scope.get(path, { config: { shows: unchanging } }, async (_request, reply) =>
      sendPage(reply, site, {
        ...{ title, description: `${title}. ${site.settings.name}`, path },
        body: html`<h1>${title}</h1>
${parts}`,
      }),
    )
}

/** What the law on the digital economy (LCEN, article 1-1) asks; what is unset says so instead of inventing. */
function legalNotice(site: Site): Markup {
  const { owner, director, host } = site.settings
  return html`<p class="lead">${t.legal.law}</p>
${part('responsable', t.legal.owner, owner ?? t.legal.unset)}
${part('directeur', t.legal.director, director ?? t.legal.unset)}
${part('hebergeur', t.legal.host, host ?? t.legal.unset)}
${part('contact', t.legal.contact, contactOf(site))}
${part('contenus', t.legal.content, t.legal.authors, t.legal.data, t.legal.software)}`
}

const privacy = (site: Site): Markup => html`${part('lecture', t.privacy.reading, ...t.privacy.read)}
${part('messages', t.privacy.writing, ...t.privacy.written)}
${part('droits', t.privacy.rights, html`${t.privacy.asked} ${contactOf(site)}`, html`<a href="https://www.cnil.fr/fr/plaintes">${t.privacy.cnil}</a>.`)}`

/** The declaration in the order of the model of the RGAA. */
function accessibility(site: Site): Markup {
  const { accessibility: text } = t
  const { write, delegate, post } = text.ways
  return html`<p class="lead">${text.engaged(site.settings.owner ?? text.anonymous)}</p>
${part('etat', text.state, ...text.text)}
${part('resultats', text.results, text.tested)}
${part('limites', text.gaps, text.exempt)}
${part('date', text.date, text.made)}
${part('aide', text.help, html`${text.contact} ${contactOf(site)}`)}
<section aria-labelledby="recours"><h2 id="recours">${text.remedies}</h2>
<p>${text.defender}</p>
<ul><li><a href="https://formulaire.defenseurdesdroits.fr/">${write}</a></li>
<li><a href="https://www.defenseurdesdroits.fr/saisir/delegues">${delegate}</a></li>
<li>${post}</li></ul></section>`
}

const part = (id: string, title: string, ...texts: (string | Markup)[]): Markup => html`
<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${texts.map((text) => html`<p>${text}</p>`)}</section>`

/** The operator's contact as a link, or that it is missing. */
function contactOf({ settings: { contact } }: Site): Markup {
  if (contact === null) return html`${t.legal.unset}`
  const href = contact.includes('://') ? contact : `mailto:${contact}`
  return html`<a href="${href}">${contact}</a>`
}
