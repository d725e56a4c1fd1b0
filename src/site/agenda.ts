import Type from 'typebox'
import type { Publication } from '../modules/publications/schema.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { pageOfCommune, publicationsOf, tablesOfPublications } from './commune-pages.ts'
import { html, type Markup } from './html.ts'
import { daysTag } from './module.ts'
import { calendarLink, followLink, inFrame, pager, pathOf, placeInWords, searchText } from './rows.ts'
import type { Pages } from './site.ts'
import { capital, dateInWords, dayInWords, hoursOf, monthInWords, t } from './text.ts'

const months = 12
const perPage = 100
const Query = Type.Object({
  mois: Type.Optional(Type.String({ pattern: '^\\d{4}-(?:0[1-9]|1[0-2])$' })),
  page: Type.Optional(Type.Integer({ minimum: 1 })),
  embed: Type.Optional(Type.String({ pattern: '^[01]$' })),
})

/** The events of a commune, by day, for twelve months from today. */
export const agendaPage: Pages = (scope, site) => {
  const shows = [...tablesOfPublications, 'publication_communes', daysTag]
  pageOfCommune(
    scope,
    site,
    { sub: '/agenda', shows, query: Query },
    async (commune, { mois, page = 1, embed }) => {
      const today = todayInParis(site.clock())
      const end = Temporal.PlainDate.from(today).add({ months }).toString()
      const from = mois !== undefined && `${mois}-01` > today ? `${mois}-01` : today
      const until = mois !== undefined && lastDayOf(mois) < end ? lastDayOf(mois) : end
      const filters = { sort: 'date_debut_asc', date_fin_min: from, date_debut_max: until, page } as const
      const { rows, total } = await publicationsOf(site, commune, filters, perPage)
      const last = Math.max(1, Math.ceil(total / perPage))
      const path = `/communes/${commune.slug}/agenda`
      const isEmbedded = embed === '1'
      const hrefOf = (at: number) => `${path}${searchText({ mois, page: at === 1 ? '' : `${at}`, embed })}`
      const title = t.agenda.of(commune.nom)
      const body = html`<h1>${title}</h1>
<details class="months"${mois !== undefined && html` open`}><summary>${t.agenda.choose}</summary>
<nav aria-label="${t.agenda.months}"><ul class="links">
<li><a href="${path}${searchText({ embed })}"${mois === undefined && html` aria-current="page"`}${inFrame(isEmbedded)}>${t.agenda.all}</a></li>
${Array.from({ length: months + 1 }, (_, at) => monthAfter(today, at)).map(
  (
    one,
  ) => html`<li><a href="${path}${searchText({ mois: one, embed })}"${one === mois && html` aria-current="page"`}${inFrame(isEmbedded)}>${capital(monthInWords(one))}</a></li>
`,
)}</ul></nav></details>
${rows.length === 0 && html`<section><p class="empty">${page > last ? t.publications.pastEnd : t.agenda.none}</p></section>`}
${byDay(rows, from)}
${pager(page, last, hrefOf, isEmbedded)}
${!isEmbedded && followLink(`/communes/${commune.slug}`)}`
      return {
        title,
        description: title,
        path: mois === undefined && !isEmbedded && page <= last ? hrefOf(page) : null,
        body,
        alternates: [calendarLink(path, title)],
        isEmbedded,
      }
    },
  )
}

/** Groups events by their first day; what is under way comes first. */
function byDay(events: readonly Publication[], from: string): Markup {
  const groups = Map.groupBy(events, ({ date_debut }) => (date_debut && date_debut >= from ? date_debut : ''))
  return html`${[...groups].map(
    (
      [day, rows],
      at,
    ) => html`<section aria-labelledby="jour-${at}"><h2 id="jour-${at}">${day === '' ? t.agenda.underWay : capital(dayInWords(day, null))}</h2>
<ul class="rows">
${rows.map(event)}</ul></section>
`,
  )}`
}

function event(publication: Publication): Markup {
  const { date_debut, date_fin, heure_debut, titre, acteur } = publication
  const isLong = date_fin !== null && date_fin !== date_debut
  const facts = [
    heure_debut && capital(isLong ? hoursOf({ heure_debut }) : hoursOf(publication)),
    isLong && t.agenda.until(dateInWords(date_fin)),
    placeInWords(publication),
    acteur?.nom,
  ]
  return html`<li><h3><a href="${pathOf(publication)}">${titre}</a></h3>
<p class="meta">${facts.filter(Boolean).join(' · ')}</p></li>
`
}

/** Returns the month that many months after the one of a day: `2027-01`. */
function monthAfter(day: string, count: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1 + count, 1)).toISOString().slice(0, 7)
}

function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}
