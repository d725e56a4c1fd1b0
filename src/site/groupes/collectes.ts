import Type from 'typebox'
import { listMeant } from '../../modules/communes/reading.ts'
import type { CommuneListed } from '../../modules/communes/schema.ts'
import { type SplitAddress, splitAddress } from '../../modules/groups/by-address.ts'
import { ByIdOrSlug } from '../../modules/groups/reading.ts'
import { hasWord } from '../../platform/formats/text.ts'
import { text } from '../../platform/http/validation/schemas.ts'
import { namesOf } from '../commune-names.ts'
import { html, type Markup } from '../html.ts'
import { sendPage } from '../layout.ts'
import { searchText } from '../rows.ts'
import { type Pages, type Site, searchOf } from '../site.ts'
import { t } from '../text.ts'
import { shownGroup, tablesOfGroup } from './shown-group.ts'

const Query = Type.Object({ adresse: Type.Optional(text(200)) })
const maxMeant = 8

/** The way to the bins of each member of a group: by an address with its commune, or by the name of the commune. */
export const groupCollectesPage: Pages = (scope) => {
  scope.get(
    '/groupes/:idOrSlug/collectes',
    {
      config: { caching: { shows: [...tablesOfGroup, 'communes'], unless: 'adresse' }, load: 'list' },
      schema: { params: ByIdOrSlug, querystring: Query },
    },
    async ({ params: { idOrSlug }, query: { adresse = '' }, caller, url, site }, reply) => {
      const { group, members } = await shownGroup(site, caller, idOrSlug)
      const path = `/groupes/${group.slug}`
      if (group.slug !== idOrSlug) return reply.redirect(`${path}/collectes${searchOf(url)}`, 301)
      const isAsked = hasWord(adresse)
      const split = isAsked ? splitAddress(adresse, members) : null
      const [only, ...others] = split?.communes ?? []
      if (split !== null && only !== undefined && others.length === 0)
        return reply.redirect(binsOf(only, split.street), 302)
      const title = t.groups.binsOf(group.nom)
      const body = html`<h1>${title}</h1>
${members.length > 0 && addressForm(path, members, adresse)}
${split && (await foundFor(site, split, adresse, members))}
<section aria-labelledby="communes"><h2 id="communes">${t.groups.binsByCommune}</h2>
${members.length > 0 ? binsByCommune(members, split?.street) : html`<p class="empty">${t.groups.none}</p>`}</section>`
      return sendPage(reply, site, {
        ...{ title, description: title, path: isAsked ? null : `${path}/collectes`, body, group: path },
        crumbs: [{ label: group.nom, href: path }],
      })
    },
  )
}

/** The page of a commune looks for the street. */
const binsOf = ({ slug }: CommuneListed, street = ''): string =>
  `/communes/${slug}/collectes${searchText({ adresse: street })}`

/** Links keep the street that was typed. */
const binsByCommune = (communes: readonly CommuneListed[], street?: string): Markup =>
  namesOf(communes.map((commune) => html`<a href="${binsOf(commune, street)}">${commune.nom}</a>`))

/** The field for an address; `path` is the page of the group. */
export const addressForm = (
  path: string,
  [example]: readonly CommuneListed[],
  adresse = '',
): Markup => html`<form class="search" action="${path}/collectes">
<div><label for="adresse">${t.groups.address}</label>
<p class="hint" id="adresse-hint">${t.groups.addressHint(example?.nom ?? '')}</p>
<input type="text" id="adresse" name="adresse" value="${adresse}" maxlength="200" aria-describedby="adresse-hint" autocomplete="address-line1"></div>
<button type="submit">${t.collectes.findMine}</button>
</form>`

/** Members that an address may mean, if it names none or several. All stand below in any case. */
async function foundFor(
  { lists }: Site,
  { communes, street, place }: SplitAddress,
  adresse: string,
  members: readonly CommuneListed[],
): Promise<Markup> {
  if (communes.length > 0)
    return html`<p role="status">${t.groups.oneOfCode(adresse)}</p>
${binsByCommune(communes, street)}`
  const ids = members.map(({ id }) => id)
  const meant = hasWord(place) ? await listMeant(lists, place, maxMeant, ids) : []
  if (meant.length === 0) return html`<p role="status">${t.groups.whichCommune(adresse)}</p>`
  return html`<p role="status">${t.groups.perhapsIn(adresse)}</p>
${binsByCommune(meant, place === street ? '' : street)}`
}
