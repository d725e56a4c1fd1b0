import type { Image } from '../../modules/media/schema.ts'
import { html, type Markup } from '../html.ts'
import { logo } from '../pictures.ts'
import { t } from '../text.ts'

/** The head of every page of a commune: its name, one menu, and its urgent alertes. */
export type CommuneHeader = {
  /** As the commune writes it. */
  nom: string
  couleur: string | null
  blason: Image | null
  /** Address of the page of the commune. */
  path: string
  /** Postal code and département; only its home shows them. */
  place: string
  /** The page of the commune that is shown, by its last part; `''` is its home, null one that the menu does not name. */
  present: string | null
  /** Query that links to pages of the commune keep: the secteur that the resident has chosen. */
  search: string
  /** Its menu names them. */
  hasActs: boolean
  hasPages: boolean
  /** `by`: the group that alerts, if it is not the commune. */
  urgences: readonly { titre: string; message: string; by: string | null }[]
  /** The site shows other communes, among which a search may have chosen the wrong one. */
  hasOthers: boolean
}

/** The urgent alertes above a page. */
export type Banner = Pick<CommuneHeader, 'path' | 'urgences'> & Partial<Pick<CommuneHeader, 'search'>>

/** The pages of a commune, in the order in which residents look for them. Acts and pages are named where there are any. */
export const communeMenu = [
  ['collectes', t.collectes.title],
  ['agenda', t.agenda.title],
  ['publications', t.publications.title],
  ['alertes', t.alertes.title],
  ['pages', t.pages.title],
  ['acteurs', t.acteurs.title],
  ['actes', t.actes.title],
  ['elus', t.elus.title],
  ['defibrillateurs', t.dae.title],
] as const

export const communeHeader = ({
  nom,
  blason,
  path,
  place,
  present,
  search,
  hasActs,
  hasPages,
  urgences,
  hasOthers,
}: CommuneHeader): Markup => html`<header class="top"><div class="measure">
<div class="brand">${logo(blason)}${present === '' ? html`<h1>${nom}</h1>` : html`<a href="${path}${search}">${nom}</a>`}</div>
${
  present === '' &&
  html`<p class="soft">${place}${hasOthers && html`<span class="roomy"> · <a href="/communes">${t.communes.other}</a></span>`}</p>
`
}<ul class="plain"><li><a href="${path}/recherche${search}">${t.search}</a></li></ul>
</div>
<nav class="menu" aria-label="${t.commune.services}"><div class="measure"><ul class="plain">
${communeMenu
  .filter(([sub]) => (sub !== 'actes' || hasActs) && (sub !== 'pages' || hasPages))
  .map(
    ([
      sub,
      label,
    ]) => html`<li><a href="${path}/${sub}${search}"${sub === present && html` aria-current="page"`}>${label}</a></li>
`,
  )}</ul></div></nav></header>
${urgencesBanner({ path, search, urgences })}`

/** The urgent alertes above every page, also in the frame of another site. */
export const urgencesBanner = ({ path, search = '', urgences }: Banner): Markup | false =>
  urgences.length > 0 &&
  html`<section class="urgences" aria-label="${t.alertes.urgent}"><div class="measure"><ul class="plain">
${urgences.map(
  ({
    titre,
    message,
    by,
  }) => html`<li><strong>${t.niveaux.urgence}\u00a0: ${titre}</strong> ${by && `${by}\u00a0: `}${message} <a href="${path}/alertes${search}">${t.alertes.read}<span class="unseen"> l’alerte\u00a0: ${titre}</span></a></li>
`,
)}</ul></div></section>
`
