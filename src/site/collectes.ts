import Type from 'typebox'
import { calendarBetween, withNextDates } from '../modules/communes/calendar.ts'
import { listCollectes } from '../modules/communes/queries.ts'
import type { CollecteRow } from '../modules/communes/schema.ts'
import { type ByAddress, findByAddress } from '../modules/communes/secteurs/by-address.ts'
import { inSecteur, listSecteurs, presentName } from '../modules/communes/secteurs/names.ts'
import { hasWord } from '../platform/formats/text.ts'
import { text } from '../platform/http/validation/schemas.ts'
import { daysLater } from '../platform/time/days.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { calendarButtons } from './commune/calendar-buttons.ts'
import { binColorOf } from './commune/next-collections.ts'
import { pageOfCommune } from './commune-pages.ts'
import { html, type Markup } from './html.ts'
import { binDrawing } from './look/pictograms.ts'
import { daysTag } from './module.ts'
import { calendarLink, dayTile, followLink, inFrame, searchText } from './rows.ts'
import type { Pages } from './site.ts'
import { capital, dayInWords, dayNear, rhythmInWords, t } from './text.ts'

const Query = Type.Object({
  annee: Type.Optional(Type.String({ pattern: '^[01]$' })),
  embed: Type.Optional(Type.String({ pattern: '^[01]$' })),
  adresse: Type.Optional(text(200)),
})

/** The waste collections of a commune, by secteur. */
export const collectesPage: Pages = (scope, site) => {
  const shows = ['communes', 'collectes', 'secteurs', daysTag]
  pageOfCommune(
    scope,
    site,
    { sub: '/collectes', shows, query: Query, unless: 'adresse' },
    async (commune, { annee, embed, adresse = '', secteur: asked = '' }, { site }) => {
      const path = `/communes/${commune.slug}/collectes`
      const [all, secteursOf, found] = await Promise.all([
        listCollectes(site.reads, commune.id),
        listSecteurs(site.reads, commune.id),
        hasWord(adresse) ? findByAddress(site.reads, commune.id, adresse) : null,
      ])
      const [only, ...others] = found?.secteurs ?? []
      if (only !== undefined && others.length === 0)
        return { redirect: `${path}${searchText({ embed, secteur: only })}` }
      const mine = asked === '' ? null : presentName(asked, all, secteursOf)
      const collectes = mine === null ? all : inSecteur(all, mine)
      const today = todayInParis(site.clock())
      const isYear = annee === '1'
      const isEmbedded = embed === '1'
      const secteurs = [...Map.groupBy(collectes, ({ secteur }) => secteur ?? '')]
      const named = new Set(all.flatMap(({ secteur }) => secteur ?? []))
      const title = t.collectes.of(commune.nom)
      const other = html`<p><a href="${path}${searchText({ annee: isYear ? '' : '1', embed, secteur: mine ?? '' })}"${inFrame(isEmbedded)}>${isYear ? t.collectes.short : t.collectes.year}</a>${!isEmbedded && html` · <a href="#calendrier">${t.calendar.add}</a>`}</p>`
      const body = html`<h1>${title}</h1>
${collectes.length === 0 ? html`<p class="empty">${t.collectes.none} ${t.commune.askMairie}</p>` : other}
${mine === null && secteursOf.some(({ has_places }) => has_places) && addressForm({ path, embed, adresse, isEmbedded }, found, collectes.length > 0 ? '#secteur-0' : '')}
${mine !== null && html`<p>${t.collectes.secteur(mine)} · <a href="${path}${searchText({ embed })}"${inFrame(isEmbedded)}>${t.collectes.others}</a></p>`}
${(mine !== null || named.size < 2) && !isYear && daysToCome(collectes, today, commune.departement)}
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
${followLink(`/communes/${commune.slug}`, mine ?? asked)}</section>`
}`
      const alternates = [calendarLink(path, title)]
      return {
        title,
        description: title,
        path: isYear || isEmbedded || mine !== null || found !== null ? null : path,
        body,
        alternates,
        isEmbedded,
        isKept: !isEmbedded && !isYear && found === null,
      }
    },
  )
}

type Asked = { path: string; embed: string | undefined; adresse: string; isEmbedded: boolean }

/** The field for an address, with the way to `all`, and what was found for the one that was typed. */
const addressForm = (
  { path, embed, adresse, isEmbedded }: Asked,
  found: ByAddress | null,
  all: string,
): Markup =>
  html`<form class="search" action="${path}"${inFrame(isEmbedded)}>
<div><label for="adresse">${t.collectes.address}</label>
<p class="hint" id="adresse-hint">${t.collectes.addressHint}</p>
<input type="text" id="adresse" name="adresse" value="${adresse}" maxlength="200" aria-describedby="adresse-hint" autocomplete="address-line1">${embed && html`<input type="hidden" name="embed" value="${embed}">`}</div>
<button type="submit">${t.collectes.findMine}</button>
</form>
<p><a href="${path}${searchText({ embed })}${all}"${inFrame(isEmbedded)}>${t.collectes.unknown}</a></p>
${found && foundFor(found, { path, embed, adresse, isEmbedded })}`

/** Secteurs to choose from, or addresses that may be meant. All collections stand below in any case. */
function foundFor(
  { secteurs, needsNumber, suggestions }: ByAddress,
  { path, embed, adresse, isEmbedded }: Asked,
): Markup {
  const links = (
    queries: readonly { label: string; query: Record<string, string> }[],
  ) => html`<ul class="links">
${queries.map(
  ({
    label,
    query,
  }) => html`<li><a href="${path}${searchText({ ...query, embed })}"${inFrame(isEmbedded)}>${label}</a></li>
`,
)}</ul>`
  if (secteurs.length > 0)
    return html`<p role="status">${needsNumber ? t.collectes.addNumber : t.collectes.several}</p>
${links(secteurs.map((secteur) => ({ label: t.collectes.secteur(secteur), query: { secteur } })))}`
  if (suggestions.length > 0)
    return html`<p role="status">${t.collectes.perhaps(adresse)}</p>
${links(suggestions.map((text) => ({ label: text, query: { adresse: text } })))}`
  if (needsNumber) return html`<p role="status">${t.collectes.missingNumber}</p>`
  return html`<p role="status">${t.collectes.unknownAddress(adresse)}</p>`
}

type Passage = { date: string; jour_ferie: boolean }

const oneCollecte = (
  collecte: CollecteRow,
  passages: Passage[],
  isYear: boolean,
  today: string,
): Markup => html`<li class="plain-row">${binDrawing(binColorOf(collecte))}<h3>${collecte.libelle}</h3>
<p class="meta">${[rhythmInWords(collecte), t.collectes[collecte.mode]].filter(Boolean).join(' · ')}</p>
${
  passages.length === 0
    ? collecte.mode === 'porte_a_porte' && html`<p>${t.collectes.noDates}</p>`
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

/** The dates of twelve months. */
function datesOfYear(collecte: CollecteRow, today: string, departement: string): Passage[] {
  const to = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`
  return datesBetween(collecte, { from: today, to: to.replace('-02-29', '-02-28'), departement })
}

type Span = { from: string; to: string; departement: string }

/** The dates of a collection, without those that an exception removes. */
const datesBetween = (collecte: CollecteRow, span: Span): Passage[] =>
  calendarBetween(collecte, span).days.filter(({ etat }) => etat === 'passage' || etat === 'reportee_ici')

const soonDays = 14

/** What is collected in one secteur on the days to come, tomorrow even if it is nothing; null where no date is known. */
function daysToCome(collectes: readonly CollecteRow[], today: string, departement: string): Markup | null {
  const span = { from: today, to: daysLater(today, soonDays), departement }
  const rounds = collectes.flatMap((row) => datesBetween(row, span).map((passage) => ({ row, ...passage })))
  if (rounds.length === 0) return null
  const byDay = new Map([[daysLater(today, 1), []], ...Map.groupBy(rounds, ({ date }) => date)])
  return html`<section aria-labelledby="bientot"><h2 id="bientot">${t.collectes.soon}</h2>
<ul class="rows leaves">
${[...byDay]
  .toSorted(([one], [other]) => one.localeCompare(other))
  .map(
    ([date, found]) => html`<li>${dayTile(date)}<div><p class="when">${capital(dayNear(date, today))}</p>
${
  found.length === 0
    ? html`<p class="soft">${capital(t.collectes.nothing)}</p>`
    : html`<ul class="bins">${found.map(({ row, jour_ferie }) => html`<li>${binDrawing(binColorOf(row))}<span>${row.libelle}${jour_ferie && html`<br><span class="small soft">${capital(t.collectes.holiday)}</span>`}</span></li>`)}</ul>`
}</div></li>
`,
  )}</ul></section>
`
}
