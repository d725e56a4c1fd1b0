import Type from 'typebox'
import { calendarBetween, withNextDates } from '../modules/communes/calendar.ts'
import { listCollectes } from '../modules/communes/queries.ts'
import type { CollecteRow } from '../modules/communes/schema.ts'
import { inSecteur, listSecteurs, presentName } from '../modules/communes/secteurs/names.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { calendarButtons } from './commune/calendar-buttons.ts'
import { pageOfCommune } from './commune-pages.ts'
import { html, type Markup } from './html.ts'
import { daysTag } from './module.ts'
import { calendarLink, followLink, inFrame, searchText } from './rows.ts'
import type { Pages } from './site.ts'
import { dayInWords, dayNear, rhythmInWords, t } from './text.ts'

const Query = Type.Object({
  annee: Type.Optional(Type.String({ pattern: '^[01]$' })),
  embed: Type.Optional(Type.String({ pattern: '^[01]$' })),
})

/** The waste collections of a commune, by secteur. */
export const collectesPage: Pages = (scope, site) => {
  const shows = ['communes', 'collectes', 'secteurs', daysTag]
  pageOfCommune(
    scope,
    site,
    { sub: '/collectes', shows, query: Query },
    async (commune, { annee, embed, secteur: asked = '' }) => {
      const [all, secteursOf] = await Promise.all([
        listCollectes(site.reads, commune.id),
        asked === '' ? [] : listSecteurs(site.reads, commune.id),
      ])
      const mine = asked === '' ? null : presentName(asked, all, secteursOf)
      const collectes = mine === null ? all : inSecteur(all, mine)
      const today = todayInParis(site.clock())
      const isYear = annee === '1'
      const isEmbedded = embed === '1'
      const path = `/communes/${commune.slug}/collectes`
      const secteurs = [...Map.groupBy(collectes, ({ secteur }) => secteur ?? '')]
      const named = new Set(all.flatMap(({ secteur }) => secteur ?? []))
      const title = t.collectes.of(commune.nom)
      const other = html`<p><a href="${path}${searchText({ annee: isYear ? '' : '1', embed, secteur: mine ?? '' })}"${inFrame(isEmbedded)}>${isYear ? t.collectes.short : t.collectes.year}</a></p>`
      const body = html`<h1>${title}</h1>
${collectes.length === 0 ? html`<section><p class="empty">${t.collectes.none} ${t.commune.askMairie}</p></section>` : other}
${mine !== null && html`<p>${t.collectes.secteur(mine)} · <a href="${path}${searchText({ embed })}"${inFrame(isEmbedded)}>${t.collectes.others}</a></p>`}
${
  secteurs.length > 2 &&
  html`<nav aria-label="${t.collectes.secteurs}"><ul class="links">
${secteurs.map(
  (
    [secteur],
    at,
  ) => html`<li><a href="#secteur-${at}"${inFrame(isEmbedded)}>${secteur === '' ? t.collectes.everywhere : secteur}</a></li>
`,
)}</ul></nav>`
}
${secteurs.map(
  (
    [secteur, rows],
    at,
  ) => html`<section class="cards wide" aria-labelledby="secteur-${at}"><h2 id="secteur-${at}">${secteur === '' ? t.collectes.everywhere : t.collectes.secteur(secteur)}</h2>
<ul class="rows">
${rows.map((row) => oneCollecte(row, isYear ? datesOfYear(row, today, commune.departement) : withNextDates(row, today, commune.departement).passages, isYear, today))}</ul></section>
`,
)}
${
  !isEmbedded &&
  collectes.length > 0 &&
  html`<section aria-labelledby="calendrier"><h2 id="calendrier">${t.calendar.add}</h2>
${(mine !== null || named.size < 2) && calendarButtons(`${site.url}${path}.ics${searchText({ secteur: mine ?? '', rappel: '19:00' })}`, mine === null ? t.follow.collectes : t.follow.collectesOf(mine))}
${followLink(`/communes/${commune.slug}`)}</section>`
}`
      const alternates = [calendarLink(path, title)]
      return {
        title,
        description: title,
        path: isYear || isEmbedded || mine !== null ? null : path,
        body,
        alternates,
        isEmbedded,
        isKept: !isEmbedded && !isYear,
      }
    },
  )
}

type Passage = { date: string; jour_ferie: boolean }

const oneCollecte = (
  collecte: CollecteRow,
  passages: Passage[],
  isYear: boolean,
  today: string,
): Markup => html`<li><h3>${collecte.libelle}</h3>
<p class="meta">${[rhythmInWords(collecte), t.collectes[collecte.mode]].filter(Boolean).join(' · ')}</p>
${
  passages.length === 0
    ? html`<p>${t.collectes.noDates}</p>`
    : isYear
      ? html`<ul class="names">
${passages.map(
  (passage) => html`<li>${dateOf(passage, null)}</li>
`,
)}</ul>`
      : nextOf(passages, today)
}
${collecte.consignes && html`<p class="excerpt">${collecte.consignes}</p>`}</li>
`

const dateOf = (
  { date, jour_ferie }: Passage,
  today: string | null,
  words = dayInWords(date, today),
): Markup => html`${words}${jour_ferie && html` <span class="soft">(${t.collectes.holiday})</span>`}`

/** The next date, by which people look for their bin, then the others. */
function nextOf([next, ...others]: Passage[], today: string): Markup {
  return html`<p>${t.collectes.next}\u00a0: <strong>${next && dateOf(next, today, dayNear(next.date, today))}</strong></p>
${
  others.length > 0 &&
  html`<p class="meta">${t.collectes.following}\u00a0: ${others.map((passage, at) => html`${at > 0 && ', '}${dateOf(passage, today)}`)}</p>`
}`
}

/** The dates of twelve months, without those that an exception removes. */
function datesOfYear(collecte: CollecteRow, today: string, departement: string): Passage[] {
  const to = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`
  const { days } = calendarBetween(collecte, { from: today, to: to.replace('-02-29', '-02-28'), departement })
  return days.filter(({ etat }) => etat === 'passage' || etat === 'reportee_ici')
}
