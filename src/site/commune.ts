import type { GovernmentOffice, WithContext } from 'schema-dts'
import type { Alerte } from '../modules/alertes/schema.ts'
import { nameOfDepartement } from '../modules/communes/departements.ts'
import { mergeInfos } from '../modules/communes/infos.ts'
import { nameMairie } from '../modules/communes/mairie-name.ts'
import { findMairieContact, listCollectes, listElus, listInfos } from '../modules/communes/queries.ts'
import type { Commune, Elu, Infos } from '../modules/communes/schema.ts'
import { listSecteurs } from '../modules/communes/secteurs/names.ts'
import { listGroupsOf } from '../modules/groups/reading.ts'
import type { Publication } from '../modules/publications/schema.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { type Days, daysWithout, type Event, eventsIn, firstOf, weekendOf } from './commune/events.ts'
import { type CommuneHeader, entriesIn, faceOf } from './commune/header.ts'
import { mairieBox } from './commune/mairie.ts'
import { nextCollections } from './commune/next-collections.ts'
import { readProvenance } from './commune/provenance.ts'
import { pageOfCommune, tablesOfPublications } from './commune-pages.ts'
import { hoursRow } from './hours.ts'
import { html, type Markup } from './html.ts'
import { canonicalOf, clipped, type Page, plainText } from './layout.ts'
import { horizon } from './look/drawings.ts'
import { pictogram } from './look/pictograms.ts'
import { daysTag, hoursTag } from './module.ts'
import { largestJpeg, portrait, sharedImage, sharedWhole, storyPhoto, view } from './pictures.ts'
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
} from './rows.ts'
import { foldSeries, type InSeries } from './series.ts'
import type { Pages, Site } from './site.ts'
import { dayInWords, dayNear, t, whenInWords } from './text.ts'

export const tablesOfCommune = [
  ...tablesOfPublications,
  ...['publication_communes', 'alertes', 'collectes', 'secteurs', 'commune_infos', 'elus', 'acts'],
  ...['groups', 'group_communes', 'alerte_hidings', 'sourced_facts'],
  ...[daysTag, hoursTag],
]

/** The page of a commune, its council, and what it copies to show its pages on its own site. */
export const communePages: Pages = (scope, site) => {
  pageOfCommune(scope, site, { sub: '', shows: tablesOfCommune }, async (commune, _query, shown) =>
    readCommune(shown.site, commune, shown.alertes, await shown.header),
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
const maxNews = 6

export async function readCommune(
  site: Site,
  commune: Commune,
  inForce: Promise<Alerte[]>,
  header: CommuneHeader,
): Promise<Page> {
  const now = site.clock()
  const today = todayInParis(now)
  const weekend = weekendOf(today)
  const { departement } = commune
  const { path, search, entries } = header
  const place = placeOfCommune(commune)
  const asked = new URLSearchParams(search).get('secteur') ?? ''
  const readNews = async () => {
    const rows = await publicationsOf(site, place, {}, 2 * maxNews + maxEvents + maxAtWeekend)
    return foldSeries(site, rows, today, [commune.id])
  }
  const [alertes, collectes, secteurs, atWeekend, coming, latest, mairie, rows, elus, groups, provenance] =
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
      readProvenance(site.reads, commune.id),
    ])
  const infos = mergeInfos(mairie, rows)
  const horaires = mairie?.horaires ?? null
  const soon = firstOf(atWeekend, maxAtWeekend)
  // Lists an event again below if its date at the week-end is called off: it has another next date.
  const takesPlace = soon.filter(({ isCalledOff }) => !isCalledOff)
  const events = without(coming, takesPlace).slice(0, maxEvents)
  const news = byTitle(without(latest, [...soon, ...events])).slice(0, maxNews + 1)
  const story = news.slice(0, maxNews / 2).find(({ images }) => images.length > 0)
  const others = without(news, story ? [story] : []).slice(0, maxNews)
  const next = nextCollections({ collectes, secteurs, asked, path, today, departement })
  const isEmpty = alertes.length + soon.length + events.length + latest.length === 0 && next === null
  const body = html`${alertes.some(({ niveau }) => niveau !== 'urgence') && html`<section class="alerts wide" aria-label="${t.alertes.title}">${alertes.filter(({ niveau }) => niveau !== 'urgence').map((alerte) => shortAlerte(alerte, `${path}/alertes${search}`))}</section>`}
<div class="now wide">${
    next &&
    html`<section class="box tonight" aria-labelledby="collectes"><h2 id="collectes">${next.title}</h2>
${next.body}</section>`
  }
<section class="box" aria-labelledby="mairie">${mairieBox({ infos, horaires, departement, details: '#coordonnees', now })}</section>
<section class="box receive" aria-labelledby="recevoir"><h2 id="recevoir">${t.commune.follow}</h2>
<p class="small">${t.commune.receiveLead}</p>
<ul class="ways"><li><a class="button" href="${path}/abonnement${search}">${pictogram('bell')}${t.commune.receive}</a></li></ul></section></div>
${
  isEmpty &&
  html`
<p class="empty wide">${t.commune.empty(commune.nom)} ${t.commune.askMairie}</p>`
}${story && storySection(story)}
<div class="split wide">${
    !isEmpty &&
    html`<div>
${section('week-end', html`${t.commune.weekend} <span class="soft">${daysInWords(weekend, today)}</span>`, weekendRows(atWeekend, soon, weekend, today, events[0]), { href: `${path}/agenda${search}`, label: t.commune.allAgenda })}
${events.length > 0 && section('agenda', t.commune.events, eventRows(events, today))}</div>`
  }
${section('je-cherche', t.commune.seeks, seekTiles(header))}</div>
${others.length > 0 && html`<div class="cards wide">${section('publications', t.commune.publications, publicationRows(others, { place: 'card' }), { href: `${path}/publications${search}`, label: t.commune.allNews })}</div>`}
${section('coordonnees', t.commune.details, html`${contact(infos, hoursRow(horaires, today, departement), maireOf(elus))}${provenance}${memberOf(groups)}`)}`
  return {
    title: commune.nom_affiche ?? commune.nom,
    description: t.commune.description(commune.nom),
    path,
    face: faceOf(header, commune.photo ? view(commune.photo) : horizon(header.land), placeInFrance(commune)),
    body,
    isKept: true,
    image: imageOf(commune),
    data: [governmentOffice(site, commune, infos)],
    alternates: [
      ...feedLinks(`${path}/publications`, t.publications.of(commune.nom)),
      ...feedLinks(`${path}/alertes`, t.alertes.of(commune.nom)),
      calendarLink(`${path}/agenda`, t.agenda.of(commune.nom)),
      ...(entries.bins ? [calendarLink(`${path}/collectes`, t.collectes.of(commune.nom))] : []),
    ],
  }
}

/** A part of the page, with the way to all of it. */
const section = (
  id: string,
  title: Markup | string,
  body: Markup,
  all?: { href: string; label: string },
): Markup => html`
<section aria-labelledby="${id}"><div class="head"><h2 id="${id}">${title}</h2>${all && html`<a class="more" href="${all.href}">${all.label}</a>`}</div>
${body}</section>`

/** "73000, Savoie" */
const placeInFrance = ({ codes_postaux: [code], departement }: Commune): string =>
  [code, nameOfDepartement(departement)].filter(Boolean).join(', ')

/** The one piece of news that a town puts first, with its picture. */
const storySection = (
  story: Publication & InSeries,
): Markup => html`<section class="wide" aria-labelledby="une"><h2 id="une">${t.commune.story}</h2>
<article class="story">${story.images[0] && storyPhoto(story.images[0])}<div>${story.type && html`<p class="kind">${story.type.libelle}${story.date_debut && ` · ${whenInWords(story)}`}</p>`}
<h3><a href="${pathOf(story)}">${story.titre}</a></h3>
<p>${clipped(plainText(story.body), maxStory)}</p></div></article></section>`
const maxStory = 160

/** What residents come to look for. */
const seekTiles = ({ path, search, entries }: CommuneHeader): Markup => html`<ul class="tiles">
${entriesIn(entries)
  .filter(({ sub }) => !['collectes', 'agenda', 'publications'].includes(sub))
  .map(
    ({ sub, label, sign }) => html`<li><a href="${path}/${sub}${search}">${pictogram(sign)}${label}</a></li>
`,
  )}</ul>`

/** The photo of a commune, else its arms. */
const imageOf = ({ nom, photo, blason }: Pick<Commune, 'nom' | 'photo' | 'blason'>) =>
  photo ? sharedImage(photo) : blason && sharedWhole({ ...blason, alt: blason.alt ?? nom })

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
const shortAlerte = ({ titre, message, niveau }: Alerte, href: string): Markup =>
  html`<a class="alert ${niveau}" href="${href}">${pictogram(niveau === 'info' ? 'information' : 'warning')}<span><b><span class="unseen">${t.niveaux[niveau]}\u00a0: </span>${titre}</b> ${clipped(message, maxAlerte)}</span>${pictogram('next')}</a>
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
