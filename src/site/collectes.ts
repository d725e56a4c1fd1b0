import Type from 'typebox'
import { calendarBetween, withNextDates } from '../modules/communes/calendar.ts'
import { listCollectes } from '../modules/communes/queries.ts'
import type { CollecteRow } from '../modules/communes/schema.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { pageOfCommune } from './commune-pages.ts'
import { html, type Markup } from './html.ts'
import { daysTag } from './module.ts'
import { calendarLink, followLink, searchText } from './rows.ts'
import type { Pages } from './site.ts'
import { capital, dayInWords, t } from './text.ts'

const Query = Type.Object({
  annee: Type.Optional(Type.String({ pattern: '^[01]$' })),
  embed: Type.Optional(Type.String({ pattern: '^[01]$' })),
})

/** The waste collections of a commune, by secteur. */
export const collectesPage: Pages = (scope, site) => {
  const shows = ['communes', 'collectes', daysTag]
  pageOfCommune(
    scope,
    site,
    { sub: '/collectes', shows, query: Query },
    async (commune, { annee, embed }) => {
      const collectes = await listCollectes(site.reads, commune.id)
      const today = todayInParis(site.clock())
      const isYear = annee === '1'
      const isEmbedded = embed === '1'
      const path = `/communes/${commune.slug}/collectes`
      const secteurs = [...Map.groupBy(collectes, ({ secteur }) => secteur ?? '')]
      const title = t.collectes.of(commune.nom)
      const other = html`<p><a href="${path}${searchText({ annee: isYear ? '' : '1', embed })}">${isYear ? t.collectes.short : t.collectes.year}</a></p>`
      const body = html`<h1>${title}</h1>
${collectes.length === 0 ? html`<section><p>${t.collectes.none}</p><p>${t.commune.askMairie}</p></section>` : other}
${secteurs.map(
  (
    [secteur, rows],
    at,
  ) => html`<section aria-labelledby="secteur-${at}"><h2 id="secteur-${at}">${secteur === '' ? t.collectes.everywhere : t.collectes.secteur(secteur)}</h2>
<ul class="rows">
${rows.map((row) => oneCollecte(row, isYear ? datesOfYear(row, today, commune.departement) : withNextDates(row, today, commune.departement).passages))}</ul></section>
`,
)}
${!isEmbedded && collectes.length > 0 && followLink(`/communes/${commune.slug}`)}`
      const alternates = [calendarLink(path, title)]
      return {
        title,
        description: title,
        path: isYear || isEmbedded ? null : path,
        body,
        alternates,
        isEmbedded,
      }
    },
  )
}

type Passage = { date: string; jour_ferie: boolean }

const oneCollecte = (
  { libelle, mode, consignes }: CollecteRow,
  passages: Passage[],
): Markup => html`<li><h3>${libelle}</h3>
<p class="meta">${t.collectes[mode]}</p>
${
  consignes &&
  html`<p class="excerpt">${consignes}</p>
`
}${
  passages.length === 0
    ? html`<p>${t.collectes.noDates}</p>`
    : html`<ul>
${passages.map(
  ({
    date,
    jour_ferie,
  }) => html`<li>${capital(dayInWords(date))} ${date.slice(0, 4)}${jour_ferie && html` <span class="soft">(${t.collectes.holiday})</span>`}</li>
`,
)}</ul>`
}</li>
`

/** The dates of twelve months, without those that an exception removes. */
function datesOfYear(collecte: CollecteRow, today: string, departement: string): Passage[] {
  const to = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`
  const { days } = calendarBetween(collecte, { from: today, to: to.replace('-02-29', '-02-28'), departement })
  return days.filter(({ etat }) => etat === 'passage' || etat === 'reportee_ici')
}
