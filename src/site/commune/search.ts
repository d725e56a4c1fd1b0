import Type from 'typebox'
import { findActeursOfCommune } from '../../modules/acteurs/meant.ts'
import { actsList, tablesOfActs } from '../../modules/acts/reading.ts'
import type { Alerte } from '../../modules/alertes/schema.ts'
import { mergeInfos } from '../../modules/communes/infos.ts'
import { findMairieContact, listCollectes, listElus, listInfos } from '../../modules/communes/queries.ts'
import type { CollecteRow, Commune } from '../../modules/communes/schema.ts'
import { listSecteurs } from '../../modules/communes/secteurs/names.ts'
import { searchShown } from '../../modules/pages/queries.ts'
import { type SearchTopic, singular, wordsOf } from '../../modules/reference/search-topics.ts'
import { hasWord } from '../../platform/formats/text.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { text } from '../../platform/http/validation/schemas.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { actRows } from '../actes.ts'
import { acteurRows, nearActeurs } from '../acteurs.ts'
import { tablesOfCommune } from '../commune.ts'
import { pageOfCommune } from '../commune-pages.ts'
import { html, type Markup } from '../html.ts'
import { pageRows } from '../pages.ts'
import { portrait } from '../pictures.ts'
import { placeOfCommune, publicationsOf } from '../place.ts'
import { alerteBox, definitions, infoText, publicationRows, searchText } from '../rows.ts'
import { foldSeries } from '../series.ts'
import type { Pages, Site } from '../site.ts'
import { t } from '../text.ts'
import { mairieBox } from './mairie.ts'
import { nextCollections } from './next-collections.ts'

const maxPublications = 10
const maxActeurs = 8
const maxActs = 5
const shows = [...new Set([...tablesOfCommune, ...tablesOfActs, 'act_files', 'search_terms'])]

/** The search within a commune: its services by the words that people use, then what it and its acteurs say. */
export const communeSearchPage: Pages = (scope, site) => {
  const query = Type.Object({ q: Type.Optional(text(200)) })
  pageOfCommune(
    scope,
    site,
    { sub: '/recherche', shows, query },
    async (commune, { q = '', secteur = '' }, { site, alertes }) => {
      const path = `/communes/${commune.slug}/recherche`
      const title = t.recherche.titleIn(commune.nom)
      const body = html`<h1>${title}</h1>
<form class="search" action="${path}" role="search">
<div><label for="q">${t.recherche.label}</label>
<input type="search" id="q" name="q" value="${q}" maxlength="200"></div>
<button type="submit">${t.search}</button>
</form>
<nav aria-label="${t.recherche.where}"><ul class="links">
<li><a href="${path}${searchText({ q })}" aria-current="page">${t.recherche.inside(commune.nom)}</a></li>
<li><a href="/recherche${searchText({ q })}">${t.recherche.everywhere}</a></li>
</ul></nav>
${hasWord(q) && (await results(site, commune, { q, asked: secteur, alertes }))}`
      return {
        title: t.publications.titled(title, [t.publications.quoted(q)]),
        ...{ description: title, path: null, body },
      }
    },
  )
}

type Search = { q: string; asked: string; alertes: Promise<Alerte[]> }

async function results(site: Site, commune: Commune, { q, asked, alertes }: Search): Promise<Markup> {
  const topics = await site.findTopics(q)
  const [collectes, secteurs, mairie, rows, elus, pagesFound, acteurs, publications, acts] =
    await Promise.all([
      topics.includes('collectes') ? listCollectes(site.reads, commune.id) : [],
      topics.includes('collectes') ? listSecteurs(site.reads, commune.id) : [],
      findMairieContact(site.reads, commune.id),
      listInfos(site.reads, commune.id),
      listElus(site.reads, commune.id),
      searchShown(site.lists, commune.id, q),
      findActeursOfCommune(site.lists, { commune_id: commune.id, q, page: 1 }, maxActeurs),
      publicationsOf(site, placeOfCommune(commune), { q }, maxPublications),
      numberedPage(site.lists, actsList, { commune_id: commune.id, q, page: 1 }, maxActs),
    ])
  const { departement, slug } = commune
  const [path, now] = [`/communes/${slug}`, site.clock()]
  const infos = mergeInfos(mairie, rows)
  const folded = await foldSeries(site, publications, todayInParis(site.clock()), [commune.id])
  const next = nextCollections({
    ...{ collectes: meantBy(q, collectes), secteurs, asked, departement },
    ...{ path, today: todayInParis(now) },
  })
  const isAboutAlertes = topics.includes('alertes')
  const inForce = (await alertes).filter(
    ({ titre, message }) => isAboutAlertes || isIn(q, `${titre} ${message}`),
  )
  const told = infos.complements.filter(({ libelle, valeur }) => isIn(q, `${libelle} ${valeur}`))
  const named = elus.filter(({ prenom, nom, fonction }) => isIn(q, `${prenom} ${nom} ${fonction ?? ''}`))
  const pages = topics
    .filter((topic) => topic !== 'mairie' && topic !== 'elus')
    .filter((page) => page !== 'alertes' || inForce.length === 0)
  const answers =
    told.length > 0 &&
    section(
      'infos',
      t.recherche.infos,
      definitions(told.map(({ libelle, valeur }) => [libelle, infoText(valeur)])),
    )
  const found = [
    inForce.length > 0 && section('alertes', t.alertes.inForce, html`${inForce.map(alerteBox)}`),
    // Show practical information above links that only lead on, and below the dates of collections.
    next === null && answers,
    pages.length > 0 &&
      section(
        'services',
        t.recherche.services,
        serviceRows(
          pages,
          path,
          next &&
            html`<p class="when">${next.title}</p>
${next.body}`,
        ),
      ),
    topics.includes('mairie') &&
      html`<section class="hall" aria-labelledby="mairie">${mairieBox({ infos, horaires: mairie?.horaires ?? null, departement, details: `${path}#coordonnees`, now })}</section>`,
    next !== null && answers,
    (named.length > 0 || topics.includes('elus')) &&
      section('elus', t.elus.title, eluRows(named.length > 0 ? named : elus, path)),
    pagesFound.length > 0 && section('pages', t.pages.title, pageRows(pagesFound, path)),
    acteurs.data.length > 0 && section('acteurs', t.acteurs.title, acteurRows(acteurs.data, 'h3')),
    publications.length > 0 && section('publications', t.publications.title, publicationRows(folded)),
    acts.data.length > 0 &&
      section(
        'actes',
        t.actes.title,
        html`${actRows(acts.data, 'h3')}${
          acts.meta.total > maxActs &&
          html`
<p><a class="more" href="${path}/actes${searchText({ q })}">${t.recherche.more.actes}<span aria-hidden="true"> ›</span></a></p>`
        }`,
      ),
  ].filter((one) => one !== false)
  if (found.length > 0) return html`${found}`
  return html`<p>${t.recherche.none(q)} <a href="/recherche${searchText({ q })}">${t.recherche.tryEverywhere}</a></p>${acteurs.near.length > 0 && nearActeurs(acteurs.near)}`
}

const section = (id: string, title: string, rows: Markup): Markup => html`
<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${rows}</section>`

/** True if each word of a search begins one of a text. */
function isIn(q: string, text: string): boolean {
  const [typed, words] = [wordsOf(q), wordsOf(text)]
  return typed.length > 0 && typed.every((one) => words.some((word) => word.startsWith(singular(one))))
}

/** The collections that share most words with a search: "poubelle jaune" means the yellow bin. */
function meantBy(q: string, collectes: readonly CollecteRow[]): readonly CollecteRow[] {
  const typed = wordsOf(q).map(singular)
  const shared = ({ libelle, type_dechet }: CollecteRow) => {
    const words = wordsOf(`${libelle} ${type_dechet.replaceAll('_', ' ')}`)
    return typed.filter((one) => words.some((word) => word.startsWith(one))).length
  }
  const most = Math.max(0, ...collectes.map(shared))
  return collectes.filter((row) => shared(row) === most)
}

type Page = Exclude<SearchTopic, 'mairie' | 'elus'>

const titles: Record<Page, string> = {
  collectes: t.collectes.title,
  defibrillateurs: t.dae.title,
  alertes: t.alertes.title,
  agenda: t.agenda.title,
  acteurs: t.acteurs.title,
  abonnement: t.commune.receive,
}

const serviceRows = (
  pages: readonly Page[],
  path: string,
  next: Markup | null,
): Markup => html`<ul class="rows">
${pages.map(
  (
    page,
  ) => html`<li><h3><a href="${path}/${page}">${titles[page]}</a></h3>${page === 'collectes' && next}</li>
`,
)}</ul>`

const maxElus = 5

const eluRows = (elus: Awaited<ReturnType<typeof listElus>>, path: string): Markup => html`<ul class="rows">
${elus.slice(0, maxElus).map(
  ({
    prenom,
    nom,
    fonction,
    photo,
  }) => html`<li${photo && html` class="covered"`}><h3>${prenom} ${nom}</h3><p class="meta">${fonction}</p>${portrait(photo)}</li>
`,
)}</ul>
<p><a class="more" href="${path}/elus">${t.commune.more}<span aria-hidden="true"> ›</span></a></p>`
