import { nextRounds, withNextDates } from '../../modules/communes/calendar.ts'
import type { CollecteRow } from '../../modules/communes/schema.ts'
import { inSecteur, type ListedSecteur, presentName } from '../../modules/communes/secteurs/names.ts'
import { html, type Markup } from '../html.ts'
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
}: Collections): Markup | null {
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
  return html`<p class="next"><strong>${capital(dayNear(date, today))}\u00a0:</strong> ${inWords(found)}</p>
${isAlone && then && html`<p class="meta">${t.collectes.following} ${dayNear(then[0], today)}\u00a0: ${inWords(then[1])}</p>`}
${mine !== null && names.length > 1 && !isReadOnly && html`<p class="meta">${t.collectes.secteur(mine)} · <a href="${path}#secteur">${t.collectes.change}</a></p>`}
${mine === null && names.length > 1 && !isReadOnly && (secteurs.some(({ has_places }) => has_places) ? addressForm(path) : secteurForm(path, names))}`
}

const addressForm = (
  path: string,
): Markup => html`<form class="choose" id="secteur" action="${path}/collectes">
<label for="adresse">${t.collectes.address}</label>
<input type="text" id="adresse" name="adresse" maxlength="200" autocomplete="address-line1" required>
<button type="submit">${t.collectes.findMine}</button>
<p><a href="${path}/collectes">${t.collectes.unknown}</a></p>
</form>`

const secteurForm = (
  path: string,
  names: readonly string[],
): Markup => html`<form class="choose" action="${path}">
<label for="secteur">${t.collectes.mine}</label>
<select id="secteur" name="secteur">
${names.map(
  (name) => html`<option>${name}</option>
`,
)}</select>
<button type="submit">${t.collectes.choose}</button>
</form>`

/** "Bac gris" within a sentence; "DASRI" stays. */
export const uncapital = (text: string) =>
  /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
