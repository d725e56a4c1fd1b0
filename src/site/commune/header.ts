import type { Image } from '../../modules/media/schema.ts'
import { html, type Markup } from '../html.ts'
import { edge, shield } from '../look/drawings.ts'
import { type Pictogram, pictogram } from '../look/pictograms.ts'
import type { Land } from '../look/relief.ts'
import { arms } from '../pictures.ts'
import { t } from '../text.ts'

/** The head of every page of a commune: its name, one menu, and its urgent alertes. */
export type CommuneHeader = {
  /** As the commune writes it. */
  nom: string
  /** Its own, or one of the country's. */
  couleur: string
  blason: Image | null
  land: Land
  /** Address of the page of the commune. */
  path: string
  /** The page of the commune that is shown, by its last part; `''` is its home, null one that the menu does not name. */
  present: string | null
  /** Query that links to pages of the commune keep: the secteur that the resident has chosen. */
  search: string
  entries: CommuneEntries
  /** `by`: the group that alerts, if it is not the commune. */
  urgences: readonly { titre: string; message: string; by: string | null }[]
  /** The site shows other communes, among which a search may have chosen the wrong one. */
  hasOthers: boolean
}

/** What a commune has: its menu names nothing that is empty. */
export type CommuneEntries = Record<'bins' | 'news' | 'elus' | 'acts' | 'pages' | 'acteurs', boolean>

/** The urgent alertes above a page. */
export type Banner = Pick<CommuneHeader, 'path' | 'urgences'> & Partial<Pick<CommuneHeader, 'search'>>

type Entry = { sub: string; label: string; sign: Pictogram; needs?: keyof CommuneEntries }

/** The pages of a commune, in the order in which residents look for them. */
export const communeMenu: readonly Entry[] = [
  { sub: 'collectes', label: t.collectes.title, sign: 'bin', needs: 'bins' },
  { sub: 'agenda', label: t.agenda.title, sign: 'calendar', needs: 'news' },
  { sub: 'publications', label: t.publications.title, sign: 'news', needs: 'news' },
  { sub: 'alertes', label: t.alertes.title, sign: 'warning' },
  { sub: 'pages', label: t.pages.title, sign: 'card', needs: 'pages' },
  { sub: 'acteurs', label: t.acteurs.title, sign: 'shop', needs: 'acteurs' },
  { sub: 'actes', label: t.actes.title, sign: 'paper', needs: 'acts' },
  { sub: 'elus', label: t.elus.title, sign: 'people', needs: 'elus' },
  { sub: 'defibrillateurs', label: t.dae.title, sign: 'heart' },
]

/** The pages that a commune has something on. */
export const entriesIn = (entries: CommuneEntries): Entry[] =>
  communeMenu.filter(({ needs }) => needs === undefined || entries[needs])

/** A thumb finds five in a row: the home, three pages with short names, and the way to all. */
const inBar = 3
const longest = 15

export function communeHeader(header: CommuneHeader): Markup {
  const { nom, blason, land, path, present, search, entries, urgences } = header
  const sign = blason ? arms(blason) : shield(land)
  const shown = entriesIn(entries)
  const bar = new Set(shown.filter(({ label }) => label.length <= longest).slice(0, inBar))
  const link = (entry: Entry) => {
    const { sub, label, sign } = entry
    return html`<li${!bar.has(entry) && html` class="roomy"`}><a href="${path}/${sub}${search}"${sub === present && html` aria-current="page"`}>${pictogram(sign)}${label}</a></li>
`
  }
  return html`${urgencesBanner({ path, search, urgences })}
<header class="top"><div class="wrap">
<a class="brand" href="${path}${search}">${sign}${nom}</a>
<a class="find" href="${path}/recherche${search}">${pictogram('find')}<span>${t.search}</span></a>
<nav class="menu" aria-label="${t.commune.services}"><ul>
<li class="phone"><a href="${path}${search}"${present === '' && html` aria-current="page"`}>${pictogram('home')}${t.commune.home}</a></li>
${[...new Set([...bar, ...shown.slice(0, inRow)])].map(link)}<li><a href="#plus">${pictogram('more')}${t.commune.more}</a></li>
</ul></nav></div></header>
`
}

/** As many as a desktop has room for. */
const inRow = 6

const longName = 22

/** The face of a town, above its home: its photo, else its horizon, and its name. */
export const faceOf = (
  { nom, blason, land }: Pick<CommuneHeader, 'nom' | 'blason' | 'land'>,
  view: Markup,
  place: string,
): Markup => html`<div class="face">${view}
<div class="wrap"><div class="name">${blason ? arms(blason) : shield(land)}<div><h1${nom.length > longName && html` class="long"`}>${nom}</h1><p class="meta">${place}</p></div></div></div></div>
`

/** All pages of a commune, where its menu leads to with "Plus", and what else it offers. */
export const communeFoot = ({ nom, land, path, search, entries, hasOthers }: CommuneHeader) => ({
  edge: edge(land),
  columns: html`<nav id="plus" aria-labelledby="tout"><p class="heading" id="tout">${t.commune.all(nom)}</p><ul class="two">
${entriesIn(entries).map(
  ({ sub, label }) => html`<li><a href="${path}/${sub}${search}">${label}</a></li>
`,
)}<li><a href="${path}${search}#coordonnees">${t.commune.contact}</a></li>
<li><a href="${path}/recherche${search}">${t.search}</a></li>
</ul></nav>
<div><p class="heading">${t.commune.keepUp}</p><ul>
<li><a href="${path}/abonnement${search}">${t.commune.receive}</a></li>
<li><a href="${path}/suivre${search}">${t.follow.title}</a></li>
<li><a href="${path}/integrer">${t.integrer.title}</a></li>
${
  hasOthers &&
  html`<li><a href="/communes">${t.communes.other}</a></li>
`
}</ul></div>`,
})

/** The urgent alertes above every page, also in the frame of another site. */
export const urgencesBanner = ({ path, search = '', urgences }: Banner): Markup | false =>
  urgences.length > 0 &&
  html`<section class="urgences" aria-label="${t.alertes.urgent}">
${urgences.map(
  ({
    titre,
    message,
    by,
  }) => html`<a class="alert urgence" href="${path}/alertes${search}">${pictogram('warning')}<span><b>${t.niveaux.urgence}\u00a0: ${titre}</b> ${by && `${by}\u00a0: `}${message}</span>${pictogram('next')}</a>
`,
)}</section>
`
