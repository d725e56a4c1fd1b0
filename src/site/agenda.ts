import Type from 'typebox'
import { oneOf } from '../platform/http/validation/schemas.ts'
import { daysLater } from '../platform/time/days.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { calendarButtons } from './commune/calendar-buttons.ts'
import { type Days, datesOf, daysWithout, type Event, weekendOf } from './commune/events.ts'
import { tablesOfPublications } from './commune-pages.ts'
import { html, type Markup } from './html.ts'
import { daysTag } from './module.ts'
import { cover } from './pictures.ts'
import { pageOfPlace } from './place-pages.ts'
import {
  calendarLink,
  covered,
  dayTile,
  followLink,
  inFrame,
  pager,
  pathOf,
  placeInWords,
  searchText,
  struck,
} from './rows.ts'
import type { Pages } from './site.ts'
import { capital, dateInWords, dayInWords, dayNear, hoursOf, monthInWords, t } from './text.ts'

const months = 12
const perPage = 100
/** Days that residents ask for. */
const spans = ['aujourdhui', 'demain', 'week-end'] as const
type Span = (typeof spans)[number]

const Query = Type.Object({
  quand: Type.Optional(oneOf(spans)),
  mois: Type.Optional(Type.String({ pattern: '^\\d{4}-(?:0[1-9]|1[0-2])$' })),
  page: Type.Optional(Type.Integer({ minimum: 1 })),
  embed: Type.Optional(Type.String({ pattern: '^[01]$' })),
})

/** The events of a commune or a group, by day, for twelve months from today. */
export const agendaPage: Pages = (scope, site) => {
  const shows = [...tablesOfPublications, 'publication_communes', daysTag]
  pageOfPlace(
    scope,
    site,
    { sub: '/agenda', shows, query: Query },
    async (place, { quand, mois, page = 1, embed }, { site }) => {
      const today = todayInParis(site.clock())
      const thisMonth = monthAfter(today, 0)
      const end = Temporal.PlainDate.from(today).add({ months }).toString()
      const { from, to: until } =
        quand === undefined ? daysOfMonth(mois, { from: today, to: end }) : daysOf(quand, today)
      const filters = { date_fin_min: from, date_debut_max: until, page }
      const { rows, total } = await datesOf(site, place, 'date', filters, perPage)
      const last = Math.max(1, Math.ceil(total / perPage))
      const path = `${place.path}/agenda`
      const isEmbedded = embed === '1'
      const hrefOf = (at: number) =>
        `${path}${searchText({ quand, mois, page: at === 1 ? '' : `${at}`, embed })}`
      const name = quand === undefined ? mois && monthInWords(mois) : t.agenda.spans[quand]
      const title = name ? `${t.agenda.of(place.nom)}, ${name}` : t.agenda.of(place.nom)
      const shownTitle = t.publications.titled(title, [t.publications.pageNumber(page)])
      const link = (asked: { quand?: Span; mois?: string }, label: string) => {
        const isShown = asked.quand === quand && asked.mois === mois
        const href = `${path}${searchText({ ...asked, embed })}`
        return html`<li><a href="${href}"${isShown && html` aria-current="page"`}${inFrame(isEmbedded)}>${label}</a></li>
`
      }
      const body = html`<h1>${title}</h1>
${!isEmbedded && rows.length > 0 && html`<p><a href="#calendrier">${t.calendar.add}</a></p>`}
<nav aria-label="${t.agenda.days}"><ul class="links">
${link({}, t.agenda.all)}${spans.map((one) => link({ quand: one }, capital(t.agenda.spans[one])))}${link({ mois: thisMonth }, t.agenda.thisMonth)}</ul></nav>
<details class="months"${mois !== undefined && mois !== thisMonth && html` open`}><summary>${t.agenda.choose}</summary>
<nav aria-label="${t.agenda.months}"><ul class="links">
${Array.from({ length: months }, (_, at) => monthAfter(today, at + 1)).map((one) => link({ mois: one }, capital(monthInWords(one))))}</ul></nav></details>
${rows.length === 0 && html`<p class="empty">${page > last ? t.publications.pastEnd : name ? t.agenda.nothing(quand === undefined ? t.agenda.inMonth(name) : name) : t.agenda.none}</p>`}
${byDay(rows, from, today)}
${quand === 'week-end' && rows.length > 0 && emptyDays(rows, { from, to: until }, today)}
${pager(page, last, hrefOf, isEmbedded)}
${
  !isEmbedded &&
  html`<section aria-labelledby="calendrier"><h2 id="calendrier">${t.calendar.add}</h2>
${calendarButtons(`${site.url}${path}.ics`, t.agenda.of(place.nom))}
${followLink(place.path)}</section>`
}`
      return {
        title: shownTitle,
        description: title,
        path: mois === undefined && quand === undefined && !isEmbedded && page <= last ? hrefOf(page) : null,
        body,
        alternates: [calendarLink(path, t.agenda.of(place.nom))],
        isEmbedded,
      }
    },
  )
}

/** Groups events by their first day; what is under way comes first. */
function byDay(events: readonly Event[], from: string, today: string): Markup {
  const groups = Map.groupBy(events, ({ date_debut }) => (date_debut && date_debut >= from ? date_debut : ''))
  return html`${[...groups].map(
    (
      [day, rows],
      at,
    ) => html`<section class="day wide" aria-labelledby="jour-${at}">${day !== '' && dayTile(day)}<h2 id="jour-${at}">${day === '' ? t.agenda.underWay : capital(dayNear(day, today))}</h2>
<ul class="rows">
${rows.map(event)}</ul></section>
`,
  )}`
}

function event(publication: Event): Markup {
  const { date_debut, date_fin, heure_debut, titre, acteur, isCalledOff } = publication
  const isLong = date_fin !== null && date_fin !== date_debut
  const facts = [
    isCalledOff && t.agenda.calledOff,
    heure_debut && capital(isLong ? hoursOf({ heure_debut }) : hoursOf(publication)),
    isLong && t.agenda.until(dateInWords(date_fin)),
    placeInWords(publication),
    acteur?.nom,
  ]
  return html`<li${covered(publication)}><h3>${struck(html`<a href="${pathOf(publication)}">${titre}</a>`, isCalledOff)}</h3>
<p class="meta">${facts.filter(Boolean).join(' · ')}</p>${cover(publication.images, 'row')}</li>
`
}

/** Names the days of a week-end on which nothing is announced. */
const emptyDays = (events: readonly Event[], days: Required<Days>, today: string): Markup[] =>
  daysWithout(events, days).map(
    (day) => html`<p class="soft">${t.agenda.nothing(dayInWords(day, today).split(' ')[0] ?? '')}</p>`,
  )

function daysOf(span: Span, today: string): Required<Days> {
  if (span === 'week-end') return weekendOf(today)
  const day = span === 'demain' ? daysLater(today, 1) : today
  return { from: day, to: day }
}

/** The days of a month that are shown; all of them without one. */
function daysOfMonth(month: string | undefined, { from, to }: Required<Days>): Required<Days> {
  if (month === undefined) return { from, to }
  const [first, last] = [`${month}-01`, lastDayOf(month)]
  return { from: first > from ? first : from, to: last < to ? last : to }
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
