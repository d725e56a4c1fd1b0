import { nextRounds, withNextDates } from '../../modules/communes/calendar.ts'
import type { CollecteRow } from '../../modules/communes/schema.ts'
import { inSecteur, type ListedSecteur, presentName } from '../../modules/communes/secteurs/names.ts'
import { daysLater } from '../../platform/time/days.ts'
import { html, type Markup } from '../html.ts'
import { binDrawing } from '../look/pictograms.ts'
import { searchText } from '../rows.ts'
import { capital, dayNear, t } from '../text.ts'

type Collections = {
  collectes: readonly CollecteRow[]
  secteurs: readonly ListedSecteur[]
  /** The secteur that the address names. */
  asked: string
  path: string
  /** Nothing in it can be used, as on a screen in the town hall. */
  isReadOnly?: boolean
  today: string
  departement: string
}

/** The next two days with a collection, in the secteur of the resident, who chooses it once. Null if none is known. */
export function nextCollections({
  collectes,
  secteurs,
  asked,
  path,
  isReadOnly = false,
  today,
  departement,
}: Collections): { title: string; body: Markup } | null {
  const mine = asked === '' ? null : presentName(asked, collectes, secteurs)
  const names = [...new Set(collectes.flatMap(({ secteur }) => secteur ?? []))]
  const rows = mine === null ? collectes : inSecteur(collectes, mine)
  const rounds = rows
    .flatMap((row) => nextRounds(row, today, 2).map(({ date }) => ({ row, date })))
    .toSorted((one, other) => one.date.localeCompare(other.date))
  const [next, then] = [...Map.groupBy(rounds, ({ date }) => date)]
  if (next === undefined) return null
  const isAlone = mine !== null || names.length < 2
  const inWords = (found: readonly { row: CollecteRow; date: string }[]) =>
    found.map(
      ({ row, date }, at) =>
        html`${at > 0 && ', '}${uncapital(row.libelle)}${!isAlone && row.secteur && html` <span class="soft">(${row.secteur})</span>`}${isUnsettled(row, date) && html` <span class="soft">(${t.collectes.holiday})</span>`}`,
    )
  const isUnsettled = (row: CollecteRow, date: string) =>
    withNextDates(row, date, departement).passages.some((one) => one.date === date && one.jour_ferie)
  const [date, found] = next
  const isTomorrow = date === daysLater(today, 1)
  const title = isTomorrow
    ? t.collectes.tonight
    : date === today
      ? capital(dayNear(date, today))
      : t.collectes.later(dayNear(date, today))
  const passage = [
    isTomorrow && t.collectes.passage(dayNear(date, today)),
    mine !== null && names.length > 1 && t.collectes.secteur(mine),
  ].filter(Boolean)
  const hasPlaces = secteurs.some(({ has_places }) => has_places)
  const body = html`<ul class="bins">
${found.map(
  ({
    row,
  }) => html`<li>${binDrawing(binColorOf(row))}<span><b>${row.libelle}</b>${!isAlone && row.secteur && html`<br><span class="small soft">${t.collectes.secteur(row.secteur)}</span>`}${isUnsettled(row, date) && html`<br><span class="small soft">${capital(t.collectes.holiday)}</span>`}</span></li>
`,
)}</ul>
<p class="meta">${passage.join(' · ')}${mine !== null && names.length > 1 && !isReadOnly && html` · <a href="${path}#collectes">${t.collectes.elsewhere}</a>`}</p>
${isAlone && then && html`<p class="meta following">${t.collectes.following} ${dayNear(then[0], today)}\u00a0: ${inWords(then[1])}</p>`}
${mine === null && names.length > 1 && !isReadOnly && (hasPlaces ? addressForm(path, asked) : secteurForm(path, names))}`
  return { title, body }
}

/** The colour of a bin: as its name says, else by what it is for. */
export function binColorOf({ libelle, type_dechet }: Pick<CollecteRow, 'libelle' | 'type_dechet'>): BinColor {
  const named = `${libelle} ${type_dechet}`.toLowerCase()
  for (const [color, words] of binWords) if (words.test(named)) return color
  return 'gris'
}
type BinColor = 'jaune' | 'marron' | 'vert' | 'bleu' | 'gris'
const binWords: readonly [BinColor, RegExp][] = [
  ['jaune', /jaune/],
  ['marron', /marron|brun/],
  ['vert', /\bverte?s?\b/],
  ['bleu', /bleu/],
  ['gris', /gris|noir/],
  ['jaune', /emballage|recyclable|\btri\b/],
  ['marron', /bio-?d[eé]chet|alimentaire|compost/],
  ['vert', /verre|v[eé]g[eé]ta/],
  ['bleu', /papier|carton/],
]

/** Folded: the mairie stands below it on the first screen of a phone. */
const addressForm = (
  path: string,
  asked: string,
): Markup => html`<details><summary>${t.collectes.giveAddress}</summary>
<form class="choose" id="secteur" action="${path}/collectes">
<label for="adresse">${t.collectes.address}</label>
<input type="text" id="adresse" name="adresse" maxlength="200" autocomplete="address-line1" required>
<button type="submit">${t.collectes.findMine}</button>
<p><a href="${path}/collectes${searchText({ secteur: asked })}">${t.collectes.unknown}</a></p>
</form></details>`

const secteurForm = (
  path: string,
  names: readonly string[],
): Markup => html`<details><summary>${t.collectes.chooseSecteur}</summary>
<form class="choose" action="${path}">
<label for="secteur">${t.collectes.mine}</label>
<select id="secteur" name="secteur">
${names.map(
  (name) => html`<option>${name}</option>
`,
)}</select>
<button type="submit">${t.collectes.choose}</button>
</form></details>`

/** "Bac gris" within a sentence; "DASRI" stays. */
const uncapital = (text: string) =>
  /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
