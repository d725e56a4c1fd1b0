import Type from 'typebox'
import type { Alerte } from '../../modules/alertes/schema.ts'
import { mergeInfos } from '../../modules/communes/infos.ts'
import { findMairieContact, listCollectes, listInfos } from '../../modules/communes/queries.ts'
import type { Commune } from '../../modules/communes/schema.ts'
import { listSecteurs } from '../../modules/communes/secteurs/names.ts'
import type { Publication } from '../../modules/publications/schema.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { tablesOfCommune } from '../commune.ts'
import { pageOfCommune } from '../commune-pages.ts'
import { html, type Markup } from '../html.ts'
import { clipped, plainText } from '../layout.ts'
import { cover } from '../pictures.ts'
import { placeOfCommune, publicationsOf } from '../place.ts'
import { isCancelled, placeInWords } from '../rows.ts'
import { foldSeries } from '../series.ts'
import type { Pages, SiteBase } from '../site.ts'
import { capital, dayInWords, t, whenInWords } from '../text.ts'
import { eventsIn } from './events.ts'
import { mairieBox } from './mairie.ts'
import { nextCollections } from './next-collections.ts'

/** How long a view stays, in seconds: long enough to read it twice. */
const staysFor = 20
const [maxAlertes, maxEvents, maxNews, maxText] = [3, 4, 4, 260]

/**
 * What a screen in the town hall shows, by turns: a view leads to the next one by itself, without script. Urgent alertes
 * stand above each. When the service is away, the page of the error tries again (`routes.ts`).
 */
export const screenPage: Pages = (scope, site) => {
  const query = Type.Object({ vue: Type.Optional(Type.Integer({ minimum: 0, maximum: 99 })) })
  pageOfCommune(
    scope,
    site,
    { sub: '/ecran', shows: tablesOfCommune, query },
    async (commune, { vue = 0, secteur = '' }, { alertes }) => {
      const views = await viewsOf(site, commune, await alertes, secteur)
      const at = vue % views.length
      const path = `/communes/${commune.slug}/ecran`
      const body = html`<header><h1>${commune.nom_affiche ?? commune.nom}</h1><p>${capital(dayInWords(todayInParis(site.clock()), null))}</p></header>
${views[at]}
<p class="turn" aria-hidden="true">${views.map((_, one) => (one === at ? '●' : '○')).join(' ')}</p>`
      const next = new URLSearchParams({
        vue: `${(at + 1) % views.length}`,
        ...(secteur !== '' && { secteur }),
      })
      return {
        ...{ title: t.screen.of(commune.nom), description: t.screen.of(commune.nom), path: null, body },
        refresh: { seconds: staysFor, to: `${path}?${next}` },
      }
    },
  )
}

/** The views that have something to show, alertes first; the mairie is always one. */
async function viewsOf(
  site: SiteBase,
  commune: Commune,
  alertes: readonly Alerte[],
  asked: string,
): Promise<Markup[]> {
  const now = site.clock()
  const today = todayInParis(now)
  const { id, departement, slug } = commune
  const place = placeOfCommune(commune)
  const [collectes, secteurs, coming, news, mairie, rows] = await Promise.all([
    listCollectes(site.reads, id),
    asked === '' ? [] : listSecteurs(site.reads, id),
    eventsIn(site, place, 'next date', { from: today }, maxEvents + 1),
    publicationsOf(site, place, {}, maxNews + maxEvents),
    findMairieContact(site.reads, id),
    listInfos(site.reads, id),
  ])
  const events = coming.filter((event) => !isCancelled(event)).slice(0, maxEvents)
  const folded = await foldSeries(site, news, today, [id])
  const others = folded.filter(({ id }) => !events.some((event) => event.id === id)).slice(0, maxNews)
  const infos = mergeInfos(mairie, rows)
  const next = nextCollections({
    ...{ collectes, secteurs, asked, departement, today },
    ...{ path: `/communes/${slug}/ecran`, isReadOnly: true },
  })
  return [
    ...(alertes.length > 0 ? [view(t.alertes.title, listed(alertes.slice(0, maxAlertes)))] : []),
    ...(next ? [view(next.title, next.body)] : []),
    ...(events.length > 0
      ? [view(t.agenda.title, html`<ul>${events.map((one) => event(one, today))}</ul>`)]
      : []),
    ...others.map(piece),
    html`<section class="hall" aria-labelledby="mairie">${mairieBox({ infos, horaires: mairie?.horaires ?? null, departement, details: null, now })}</section>`,
  ]
}

const view = (title: string, body: Markup): Markup => html`<section><h2>${title}</h2>
${body}</section>`

/** One that stands alone has the room of all. */
const listed = (alertes: readonly Alerte[]): Markup =>
  html`${alertes.map(
    ({ titre, message, niveau }) => html`<article class="alerte ${niveau}">
<h3><span class="level">${t.niveaux[niveau]}\u00a0:</span> ${titre}</h3>
<p>${clipped(message, Math.floor((2 * maxText) / alertes.length))}</p></article>
`,
  )}`

const event = (publication: Publication, today: string): Markup => html`<li><h3>${publication.titre}</h3>
<p>${[whenInWords(publication, today), placeInWords(publication)].filter(Boolean).join(' · ')}</p></li>
`

const piece = (
  publication: Publication,
): Markup => html`<section class="piece"><div><h2>${publication.titre}</h2>
<p>${[whenInWords(publication), placeInWords(publication)].filter(Boolean).join(' · ')}</p>
<p>${clipped(plainText(publication.body), maxText)}</p></div>${cover(publication.images, 'card', true)}</section>`
