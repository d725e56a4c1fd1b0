import type { GovernmentOffice, WithContext } from 'schema-dts'
import type { Alerte } from '../modules/alertes/schema.ts'
import { mergeInfos } from '../modules/communes/infos.ts'
import { nameMairie } from '../modules/communes/mairie-name.ts'
import { findMairieContact, listCollectes, listElus, listInfos } from '../modules/communes/queries.ts'
import type { Commune, Elu, Infos } from '../modules/communes/schema.ts'
import { listSecteurs } from '../modules/communes/secteurs/names.ts'
import { listGroupsOf } from '../modules/groups/reading.ts'
import type { Publication } from '../modules/publications/schema.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { type Days, daysWithout, type Event, eventsIn, firstOf, weekendOf } from './commune/events.ts'
import { mairieBox } from './commune/mairie.ts'
import { nextCollections } from './commune/next-collections.ts'
import { pageOfCommune, tablesOfPublications } from './commune-pages.ts'
import { hoursRow } from './hours.ts'
import { html, type Markup } from './html.ts'
import { canonicalOf, clipped, type Page } from './layout.ts'
import { daysTag, hoursTag } from './module.ts'
import { largestJpeg, picture, portrait, sharedImage, sharedWhole } from './pictures.ts'
import { placeOfCommune, publicationsOf } from './place.ts'
import {
  calendarLink,
  contactRows,
  definitions,
  eventRows,
  feedLinks,
  infoText,
  pathOf,
  publicationRows,
  routeLink,
  searchText,
} from './rows.ts'
import { foldSeries, type InSeries } from './series.ts'
import type { Pages, Site } from './site.ts'
import { dayInWords, dayNear, t } from './text.ts'

export const tablesOfCommune = [
  ...tablesOfPublications,
  ...['publication_communes', 'alertes', 'collectes', 'secteurs', 'commune_infos', 'elus', 'acts'],
  ...['groups', 'group_communes', 'alerte_hidings'],
  ...[daysTag, hoursTag],
]

/** The page of a commune, its council, and what it copies to show its pages on its own site. */
export const communePages: Pages = (scope, site) => {
  pageOfCommune(scope, site, { sub: '', shows: tablesOfCommune }, (commune, { secteur }, { alertes, site }) =>
    readCommune(site, commune, alertes, secteur),
  )

  pageOfCommune(scope, site, { sub: '/elus', shows: ['communes', 'elus'] }, async (commune) => {
    const elus = await listElus(site.reads, commune.id)
    const title = t.elus.of(commune.nom)
    const body = html`<h1>${title}</h1>
${
  elus.length === 0
    ? html`<p class="empty">${t.elus.none} ${t.commune.askMairie}</p>`
    : html`<section class="cards wide" aria-label="${t.elus.title}"><ul class="rows">
${elus.map(
  ({
    prenom,
    nom,
    fonction,
    photo,
  }) => html`<li${photo && html` class="covered"`}><h2 class="row-title">${prenom} ${nom}</h2>
<p class="meta">${fonction}</p>${portrait(photo)}</li>
`,
)}</ul></section>`
}`
    return { title, description: title, path: `/communes/${commune.slug}/elus`, body }
  })

  pageOfCommune(scope, site, { sub: '/integrer', shows: ['communes'] }, async (commune, _query, { site }) => {
    const path = `/communes/${commune.slug}`
    const title = t.integrer.title
    const body = html`<h1>${title}</h1>
<p class="lead">${t.integrer.lead(commune.nom)}</p>
${framed.map(
  ([sub, label]) => html`<section aria-labelledby="${sub}"><h2 id="${sub}">${label}</h2>
<pre><code>&lt;iframe src="${site.url}${path}/${sub}?embed=1" title="${label}" width="100%" height="600" style="border:0" loading="lazy">&lt;/iframe></code></pre></section>
`,
)}
<section aria-labelledby="ecran"><h2 id="ecran">${t.screen.title}</h2>
<p>${t.screen.lead}</p>
<p><a href="${path}/ecran">${site.url}${path}/ecran</a></p></section>`
    return { title, description: title, path: `${path}/integrer`, body }
  })
}

const framed = [
  ['publications', t.publications.title],
  ['agenda', t.agenda.title],
  ['alertes', t.alertes.title],
  ['collectes', t.collectes.title],
] as const

const maxEvents = 5
const maxAtWeekend = 4
/** More than a commune announces for a week-end, to say on which day there is nothing. */
const maxCounted = 20
const maxNews = 8

export async function readCommune(
  site: Site,
  commune: Commune,
  inForce: Promise<Alerte[]>,
  asked = '',
): Promise<Page> {
  const now = site.clock()
  const today = todayInParis(now)
  const weekend = weekendOf(today)
  const { departement } = commune
  const place = placeOfCommune(commune)
  const readNews = async () => {
    const rows = await publicationsOf(site, place, {}, 2 * maxNews + maxEvents + maxAtWeekend)
    return foldSeries(site, rows, today, [commune.id])
  }
  const [alertes, collectes, secteurs, atWeekend, coming, latest, mairie, rows, elus, groups] =
    await Promise.all([
      inForce,
      listCollectes(site.reads, commune.id),
      listSecteurs(site.reads, commune.id),
      eventsIn(site, place, 'date', weekend, maxCounted),
      eventsIn(site, place, 'next date', { from: today }, maxEvents + maxAtWeekend),
      readNews(),
      findMairieContact(site.reads, commune.id),
      listInfos(site.reads, commune.id),
      listElus(site.reads, commune.id),
      listGroupsOf(site.reads, commune.id),
    ])
  const infos = mergeInfos(mairie, rows)
  const horaires = mairie?.horaires ?? null
  const path = `/communes/${commune.slug}`
  const search = searchText({ secteur: asked })
  const soon = firstOf(atWeekend, maxAtWeekend)
  // Lists an event again below if its date at the week-end is called off: it has another next date.
  const takesPlace = soon.filter(({ isCalledOff }) => !isCalledOff)
  const events = without(coming, takesPlace).slice(0, maxEvents)
  const news = byTitle(without(latest, [...soon, ...events])).slice(0, maxNews)
  const next = nextCollections({ collectes, secteurs, asked, path, today, departement })
  const isEmpty = alertes.length + soon.length + events.length + latest.length === 0 && next === null
  const section = (id: string, title: Markup | string, body: Markup, more?: string) => html`
<section class="${id}" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${body}${more && moreLink(`${path}/${more}${more.includes('?') ? search.replace('?', '&') : search}`)}
</section>`
  const body = html`${alertes.some(({ niveau }) => niveau !== 'urgence') && html`<section class="in-force wide" aria-label="${t.alertes.title}">${alertes.filter(({ niveau }) => niveau !== 'urgence').map((alerte) => shortAlerte(alerte, `${path}/alertes${search}`))}</section>`}
<div class="now wide">${
    next &&
    section(
      'collectes',
      t.commune.collectes,
      html`<p class="all"><a href="${path}/collectes${search}">${t.commune.more}</a></p>
${next}`,
    )
  }
<section aria-labelledby="mairie">${mairieBox({ infos, horaires, departement, details: '#coordonnees', now })}</section>
<section class="receive" aria-labelledby="recevoir"><h2 id="recevoir">${t.commune.follow}</h2>
<p class="roomy">${t.commune.receiveLead}</p>
<p><a class="button" href="${path}/abonnement${search}">${t.commune.receive}</a></p></section></div>
${commune.photo && html`<div class="view wide">${picture(commune.photo)}</div>`}
${
  isEmpty
    ? html`<p class="empty">${t.commune.empty(commune.nom)} ${t.commune.askMairie}</p>`
    : html`<div class="town wide">
${section('week-end', html`${t.commune.weekend} <span class="soft">${daysInWords(weekend, today)}</span>`, weekendRows(atWeekend, soon, weekend, today, events[0]), atWeekend.length > soon.length ? 'agenda?quand=week-end' : undefined)}
${news.length > 0 && section('publications', t.commune.publications, publicationRows(news, { place: 'card' }), 'publications')}
${events.length > 0 && section('agenda', t.commune.events, eventRows(events, today), 'agenda')}`
}
${section('coordonnees', t.commune.details, html`${contact(infos, hoursRow(horaires, today, departement), maireOf(elus))}${memberOf(groups)}`)}
${section('suivre', t.follow.of(commune.nom), follow(path, search))}
${!isEmpty && html`</div>`}`
  return {
    title: commune.nom_affiche ?? commune.nom,
    description: t.commune.description(commune.nom),
    path,
    body,
    isKept: true,
    image: imageOf(commune),
    data: [governmentOffice(site, commune, infos)],
    alternates: [
      ...feedLinks(`${path}/publications`, t.publications.of(commune.nom)),
      ...feedLinks(`${path}/alertes`, t.alertes.of(commune.nom)),
      calendarLink(`${path}/agenda`, t.agenda.of(commune.nom)),
      calendarLink(`${path}/collectes`, t.collectes.of(commune.nom)),
    ],
  }
}

/** The photo of a commune, else its arms. */
const imageOf = ({ nom, photo, blason }: Pick<Commune, 'nom' | 'photo' | 'blason'>) =>
  photo ? sharedImage(photo) : blason && sharedWhole({ ...blason, alt: blason.alt ?? nom })

const moreLink = (href: string) => html`
<p><a class="more" href="${href}">${t.commune.more}<span aria-hidden="true"> ›</span></a></p>`

const without = <Row extends Publication>(rows: readonly Row[], shown: readonly Publication[]): Row[] =>
  rows.filter(({ id }) => !shown.some((one) => one.id === id))

/** One of those that an acteur publishes under the same title, such as the dates of a series. */
const byTitle = (rows: readonly (Publication & InSeries)[]) =>
  [...new Map(rows.toReversed().map((row) => [`${row.titre} ${row.acteur?.id}`, row])).values()].toReversed()

/** "28 et 29 novembre" */
function daysInWords({ from, to }: Required<Days>, today: string): string {
  const [, ...last] = dayInWords(to, today).split(' ')
  const [, number = '', month = ''] = dayInWords(from, today).split(' ')
  if (from === to) return last.join(' ')
  return `${number}${last[1] === month ? '' : ` ${month}`} et ${last.join(' ')}`
}

/** The events of the week-end, and the days of it that have none. */
function weekendRows(
  all: readonly Event[],
  shown: readonly Event[],
  days: Required<Days>,
  today: string,
  next: Event | undefined,
): Markup {
  const empty = daysWithout(all, days)
  const isAll = all.length === 0 && days.from !== days.to
  const named = isAll
    ? t.agenda.spans['week-end']
    : empty.map((day) => dayInWords(day, today).split(' ')[0]).join(' et ')
  return html`${shown.length > 0 && eventRows(shown, today)}${
    empty.length > 0 &&
    html`
<p class="soft">${t.agenda.nothing(named)}${isAll && next?.date_debut && next.date_debut > today && html` ${t.agenda.comesNext} <a href="${pathOf(next)}">${dayNear(next.date_debut, today)}, ${next.titre}</a>`}</p>`
  }`
}

const maxAlerte = 110

/** An alerte in short: the first screen has room for more than one. */
const shortAlerte = (
  { titre, message, niveau }: Alerte,
  href: string,
): Markup => html`<article class="alerte ${niveau}">
<h2><span class="level">${t.niveaux[niveau]}\u00a0:</span> ${titre}</h2>
<p>${clipped(message, maxAlerte)} <a href="${href}">${t.alertes.read}<span class="unseen"> l’alerte\u00a0: ${titre}</span></a></p>
</article>
`

/** The maire, by the function in the list of élus: `Maire` in all its forms, of no part of the commune. */
const maireOf = (elus: readonly Elu[]) =>
  elus.find(({ fonction }) => /^maire(sse)?$/i.test(fonction?.trim() ?? ''))

/** Contact and opening hours; those of the mairie itself replace the commune's row of the same name. */
function contact(
  { adresse, telephone, email, site_web, complements }: Infos,
  hours: [string, Markup][],
  maire: Elu | undefined,
): Markup {
  const others = hours.length === 0 ? complements : complements.filter(({ cle }) => cle !== 'horaires')
  const rows: [string, Markup][] = [
    ...(maire ? [[t.commune.maire, html`${maire.prenom} ${maire.nom}`] as [string, Markup]] : []),
    ...(adresse ? [[t.commune.adresse, html`${adresse} ${routeLink(adresse)}`] as [string, Markup]] : []),
    ...contactRows({ telephone, email, site_web }),
    ...hours,
    ...others.map(({ libelle, valeur }): [string, Markup] => [libelle, infoText(valeur)]),
  ]
  if (rows.length === 0) return html`<p class="soft">${t.commune.noContact}</p>`
  return definitions(rows)
}

/** The groups that a commune belongs to. */
const memberOf = (groups: readonly { slug: string; nom: string }[]) =>
  groups.length > 0 &&
  html`
<p>${t.commune.memberOf} ${groups.map(({ slug, nom }, at) => html`${at > 0 && ', '}<a href="/groupes/${slug}">${nom}</a>`)}</p>`

const follow = (path: string, search: string): Markup => html`<ul class="plain">
<li><a href="${path}/abonnement${search}">${t.abonnement.short}</a></li>
<li><a href="${path}/suivre${search}">${t.follow.title}</a></li>
<li><a href="${path}/integrer">${t.integrer.title}</a></li>
</ul>`

const governmentOffice = (site: Site, commune: Commune, infos: Infos): WithContext<GovernmentOffice> => ({
  '@context': 'https://schema.org',
  '@type': 'GovernmentOffice',
  name: nameMairie(commune.nom),
  ...(commune.nom_affiche && { alternateName: commune.nom_affiche }),
  url: canonicalOf(site, `/communes/${commune.slug}`, `/communes/${commune.slug}`),
  ...(commune.blason && { logo: `${site.url}${largestJpeg(commune.blason)}` }),
  ...(infos.adresse && { address: infos.adresse }),
  ...(infos.telephone && { telephone: infos.telephone }),
  ...(infos.email && { email: infos.email }),
})
