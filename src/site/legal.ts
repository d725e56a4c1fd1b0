import { html, type Markup } from './html.ts'
import { sendPage } from './layout.ts'
import { conformityOf, type SiteSettings } from './settings.ts'
import type { Pages, SiteBase } from './site.ts'
import { dateInWords, t } from './text.ts'

const unchanging: string[] = []

/** The legal notice, what is kept of readers, and the accessibility declaration, in the words that French law asks. */
export const legalPages: Pages = (scope, base) => {
  const all: [string, string, Markup][] = [
    ['/mentions-legales', t.legal.title, legalNotice(base)],
    ['/confidentialite', t.privacy.title, privacy(base)],
    ['/accessibilite', t.accessibility.heading, accessibility(base)],
  ]
  for (const [path, title, parts] of all)
    scope.get(path, { config: { caching: { shows: unchanging } } }, async ({ site }, reply) =>
      sendPage(reply, site, {
        ...{ title, description: `${title}. ${site.settings.name}`, path },
        body: html`<h1>${title}</h1>
${parts}`,
      }),
    )
}

/** What the law on the digital economy (LCEN, article 1-1) asks; what is unset says so instead of inventing. */
function legalNotice(site: SiteBase): Markup {
  const { owner, director, host } = site.settings
  return html`<p class="lead">${t.legal.law}</p>
${part('responsable', t.legal.owner, owner ?? t.legal.unset)}
${part('directeur', t.legal.director, director ?? t.legal.unset)}
${part('hebergeur', t.legal.host, host ?? t.legal.unset)}
${part('contact', t.legal.contact, contactOf(site))}
${part('contenus', t.legal.content, t.legal.authors, t.legal.data, t.legal.software)}`
}

const privacy = (site: SiteBase): Markup => html`${part('lecture', t.privacy.reading, ...t.privacy.read)}
${part('messages', t.privacy.writing, ...t.privacy.written)}
${part('droits', t.privacy.rights, html`${t.privacy.asked} ${contactOrForm(site)}`, html`<a href="https://www.cnil.fr/fr/plaintes">${t.privacy.cnil}</a>.`)}`

/** The declaration in the order of the model of the RGAA. Without an audit it claims nothing. */
function accessibility(site: SiteBase): Markup {
  const { accessibility: text } = t
  const { owner, audit } = site.settings
  const { write, delegate, post } = text.ways
  const state = text.conforms(text.states[conformityOf(audit)])
  return html`<p class="lead">${text.engaged(owner ?? text.anonymous)}</p>
${audit === null ? part('etat', text.state, state, text.unaudited) : part('etat', text.state, state)}
${part('resultats', text.results, ...(audit === null ? [] : [resultOf(audit)]), text.automatic)}
${part('limites', text.gaps, text.exempt)}
${listed('plan', text.plan, [...text.planned[audit === null ? 'unaudited' : 'audited'], text.planned.always])}
${part('date', text.date, `${audit === null ? text.madeWithout : text.made(dateInWords(audit.date))} ${text.scope}`)}
${listed('technologies', text.technologies, text.used)}
${listed('outils', text.tools, text.toolNames)}
${listed('pages', text.pages, [...checked.map(([path, label]) => html`<a href="${path}">${label}</a>`), ...text.ofEach])}
${part('aide', text.help, html`${text.contact} ${contactOrForm(site)}`)}
<section aria-labelledby="recours"><h2 id="recours">${text.remedies}</h2>
<p>${text.defender}</p>
<ul><li><a href="https://formulaire.defenseurdesdroits.fr/">${write}</a></li>
<li><a href="https://www.defenseurdesdroits.fr/saisir/delegues">${delegate}</a></li>
<li>${post}</li></ul></section>`
}

const resultOf = ({ auditor, date, rate, report }: NonNullable<SiteSettings['audit']>): Markup =>
  html`${t.accessibility.audited(auditor, dateInWords(date), `${rate}`.replace('.', ','))} <a href="${report}">${t.accessibility.report}</a>.`

const checked = [
  ['/', t.accessibility.home],
  ['/communes', t.communes.title],
  ['/recherche', t.recherche.title],
  ['/defibrillateurs', t.defibrillateurs],
  ['/donnees', t.data.title],
  ['/contact', t.contact.title],
  ['/mentions-legales', t.legal.title],
  ['/confidentialite', t.privacy.title],
  ['/accessibilite', t.accessibility.heading],
] as const

const listed = (id: string, title: string, items: readonly (string | Markup)[]): Markup => html`
<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
<ul>${items.map((item) => html`<li>${item}</li>`)}</ul></section>`

const part = (id: string, title: string, ...texts: (string | Markup)[]): Markup => html`
<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${texts.map((text) => html`<p>${text}</p>`)}</section>`

/** The operator's contact as a link, or that it is missing. */
function contactOf({ settings: { contact } }: SiteBase): Markup {
  if (contact === null) return html`${t.legal.unset}`
  const href = contact.includes('://') ? contact : `mailto:${contact}`
  return html`<a href="${href}">${contact}</a>`
}

const contactOrForm = (site: SiteBase): Markup =>
  site.settings.contact === null ? html`<a href="/contact">${t.accessibility.form}</a>.` : contactOf(site)
