import type { GovernmentOffice, WithContext } from 'schema-dts'
import type { Alerte } from '../modules/alertes/schema.ts'
import { nextRounds, withNextDates } from '../modules/communes/calendar.ts'
import { mergeInfos } from '../modules/communes/infos.ts'
import { findMairieContact, listCollectes, listElus, listInfos } from '../modules/communes/queries.ts'
import type { Commune, Elu, Infos } from '../modules/communes/schema.ts'
import type { Publication } from '../modules/publications/schema.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { pageOfCommune, publicationsOf, tablesOfPublications } from './commune-pages.ts'
import { hoursRow } from './hours.ts'
import { html, type Markup } from './html.ts'
import type { Page } from './layout.ts'
import { daysTag } from './module.ts'
import {
  alerteBox,
  calendarLink,
  contactRows,
  definitions,
  eventRows,
  feedLinks,
  publicationRows,
} from './rows.ts'
import type { Pages, Site } from './site.ts'
import { capital, dayInWords, t } from './text.ts'

export const tablesOfCommune = [
  ...tablesOfPublications,
  ...['publication_communes', 'alertes', 'collectes', 'commune_infos', 'elus', daysTag],
]

/** The page of a commune, its council, and what it copies to show its pages on its own site. */
export const communePages: Pages = (scope, site) => {
  pageOfCommune(scope, site, { sub: '', shows: tablesOfCommune }, (commune, _query, { alertes }) =>
    readCommune(site, commune, alertes),
  )

  pageOfCommune(scope, site, { sub: '/elus', shows: ['communes', 'elus'] }, async (commune) => {
    const elus = await listElus(site.reads, commune.id)
    const title = t.elus.of(commune.nom)
    const body = html`<h1>${title}</h1>
${
  elus.length === 0
    ? html`<section><p class="empty">${t.elus.none} ${t.commune.askMairie}</p></section>`
    : html`<section aria-label="${t.elus.title}"><ul class="rows">
${elus.map(
  ({ prenom, nom, fonction }) => html`<li><h2 class="row-title">${prenom} ${nom}</h2>
<p class="meta">${fonction}</p></li>
`,
)}</ul></section>`
}`
    return { title, description: title, path: `/communes/${commune.slug}/elus`, body }
  })

  pageOfCommune(scope, site, { sub: '/integrer', shows: ['communes'] }, async (commune) => {
    const path = `/communes/${commune.slug}`
    const title = t.integrer.title
    const body = html`<h1>${title}</h1>
<p class="lead">${t.integrer.lead(commune.nom)}</p>
${framed.map(
  ([sub, label]) => html`<section aria-labelledby="${sub}"><h2 id="${sub}">${label}</h2>
<pre><code>&lt;iframe src="${site.url}${path}/${sub}?embed=1" title="${label}" width="100%" height="600" style="border:0" loading="lazy">&lt;/iframe></code></pre></section>
`,
)}`
    return { title, description: title, path: `${path}/integrer`, body }
  })
}

const framed = [
  ['publications', t.publications.title],
  ['agenda', t.agenda.title],
  ['alertes', t.alertes.title],
  ['collectes', t.collectes.title],
] as const

export async function readCommune(site: Site, commune: Commune, inForce: Promise<Alerte[]>): Promise<Page> {
  const today = todayInParis(site.clock())
  const [alertes, collectes, events, latest, mairie, rows, elus] = await Promise.all([
    inForce,
    listCollectes(site.reads, commune.id),
    nextEvents(site, commune, today),
    publicationsOf(site, commune, {}, 10),
    findMairieContact(site.reads, commune.id),
    listInfos(site.reads, commune.id),
    listElus(site.reads, commune.id),
  ])
  const infos = mergeInfos(mairie, rows)
  const next = collectes
    .flatMap((collecte) => nextRounds(collecte, today, 1).map(({ date }) => ({ collecte, date })))
    .sort((one, other) => one.date.localeCompare(other.date))
    .slice(0, 5)
  const path = `/communes/${commune.slug}`
  const isEmpty = alertes.length + next.length + events.length + latest.rows.length === 0
  const section = (id: string, title: string, body: Markup, more?: string) => html`
<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${body}${
  more &&
  html`
<p><a class="more" href="${path}/${more}">${t.commune.more}<span aria-hidden="true"> ›</span></a></p>`
}
</section>`
  const body = html`
${alertes.length > 0 && section('alertes', t.alertes.title, html`${alertes.map(alerteBox)}`, 'alertes')}
${
  isEmpty &&
  html`<section><p class="empty">${t.commune.empty(commune.nom)} ${t.commune.askMairie}</p></section>`
}
<div class="columns">
${next.length > 0 && section('collectes', t.commune.collectes, collecteDates(next, today, commune.departement), 'collectes')}
<div>${events.length > 0 && section('agenda', t.commune.events, eventRows(events, today), 'agenda')}
${latest.rows.length > 0 && section('publications', t.commune.publications, publicationRows(latest.rows), 'publications')}</div>
${section('mairie', t.commune.mairie, contact(infos, mairie?.horaires ?? null, maireOf(elus)))}
${section('suivre', t.follow.of(commune.nom), follow(path))}
</div>`
  return {
    title: commune.nom,
    description: t.commune.description(commune.nom),
    path,
    body,
    data: [governmentOffice(site, commune, infos)],
    alternates: [
      ...feedLinks(`${path}/publications`, t.publications.of(commune.nom)),
      ...feedLinks(`${path}/alertes`, t.alertes.of(commune.nom)),
      calendarLink(`${path}/agenda`, t.agenda.of(commune.nom)),
      calendarLink(`${path}/collectes`, t.collectes.of(commune.nom)),
    ],
  }
}

const maxEvents = 5

/** The events that begin today or later. What is under way follows if there is room: it would hide the others for months. */
async function nextEvents(site: Site, commune: Commune, today: string): Promise<Publication[]> {
  const sort = 'date_debut_asc'
  const { rows: next } = await publicationsOf(site, commune, { sort, date_debut_min: today }, maxEvents)
  if (next.length === maxEvents) return next
  const { rows: all } = await publicationsOf(site, commune, { sort, date_fin_min: today }, maxEvents)
  const underWay = all.filter(({ date_debut }) => date_debut !== null && date_debut < today)
  return [...next, ...underWay].slice(0, maxEvents)
}

type Next = {
  collecte: Parameters<typeof withNextDates>[0] & { libelle: string; secteur: string | null }
  date: string
}

const collecteDates = (next: Next[], today: string, departement: string): Markup => html`<dl class="dates">
${next.map(({ collecte, date }) => {
  const [passage] = withNextDates(collecte, today, departement).passages
  return html`<dt>${capital(dayInWords(date, today))}</dt><dd>${collecte.libelle}${collecte.secteur && html` <span class="soft">(${collecte.secteur})</span>`}${passage?.jour_ferie && html` <span class="soft">(${t.collectes.holiday})</span>`}</dd>
`
})}</dl>`

/** The maire, by the function in the list of élus: `Maire` in all its forms, of no part of the commune. */
const maireOf = (elus: readonly Elu[]) =>
  elus.find(({ fonction }) => /^maire(sse)?$/i.test(fonction?.trim() ?? ''))

/** Contact and opening hours; those of the mairie itself replace the commune's row of the same name. */
function contact(
  { adresse, telephone, email, site_web, complements }: Infos,
  horaires: string | null,
  maire: Elu | undefined,
): Markup {
  const hours = hoursRow(horaires)
  const others = hours.length === 0 ? complements : complements.filter(({ cle }) => cle !== 'horaires')
  const rows: [string, Markup][] = [
    ...(maire ? [[t.commune.maire, html`${maire.prenom} ${maire.nom}`] as [string, Markup]] : []),
    ...(adresse ? [[t.commune.adresse, html`${adresse}`] as [string, Markup]] : []),
    ...contactRows({ telephone, email, site_web }),
    ...hours,
    ...others.map(({ libelle, valeur }): [string, Markup] => [libelle, html`${valeur}`]),
  ]
  if (rows.length === 0) return html`<p class="soft">${t.commune.noContact}</p>`
  return definitions(rows)
}

const follow = (path: string): Markup => html`<ul class="plain">
<li><a href="${path}/abonnement">${t.abonnement.short}</a></li>
<li><a href="${path}/suivre">${t.follow.title}</a></li>
<li><a href="${path}/integrer">${t.integrer.title}</a></li>
</ul>`

const governmentOffice = (site: Site, commune: Commune, infos: Infos): WithContext<GovernmentOffice> => ({
  '@context': 'https://schema.org',
  '@type': 'GovernmentOffice',
  name: `Mairie de ${commune.nom}`,
  url: `${site.url}/communes/${commune.slug}`,
  ...(infos.adresse && { address: infos.adresse }),
  ...(infos.telephone && { telephone: infos.telephone }),
  ...(infos.email && { email: infos.email }),
})
