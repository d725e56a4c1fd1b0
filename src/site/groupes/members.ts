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

const sub = '/collectes'

/** The way to the bins of each member of a group: by an address with its commune, or by the name of the commune. */
export const groupMemberPages: Pages = (scope) => {
  scope.get(
    `/groupes/:idOrSlug${sub}`,
    {
      config: { caching: { shows: [...tablesOfGroup, 'communes'], unless: 'adresse' }, load: 'list' },
      schema: { params: ByIdOrSlug, querystring: Query },
    },
    async ({ params: { idOrSlug }, query: { adresse = '' }, caller, url, site }, reply) => {
      const { group, members } = await shownGroup(site, caller, idOrSlug)
      const path = `/groupes/${group.slug}`
      if (group.slug !== idOrSlug) return reply.redirect(`${path}${sub}${searchOf(url)}`, 301)
      const isAsked = hasWord(adresse)
      const split = isAsked ? splitAddress(adresse, members) : null
      const [only, ...others] = split?.communes ?? []
      if (split !== null && only !== undefined && others.length === 0)
        return reply.redirect(hrefOf(only, split.street), 302)
      const title = t.groups.binsOf(group.nom)
      const body = html`<h1>${title}</h1>
${members.length > 0 && form(path, members, adresse)}
${split && (await foundFor(site, split, { adresse, members }))}
<section aria-labelledby="communes"><h2 id="communes">${t.groups.binsByCommune}</h2>
${members.length > 0 ? byCommune(members, split?.street) : html`<p class="empty">${t.groups.none}</p>`}</section>`
      return sendPage(reply, site, {
        ...{ title, description: title, path: isAsked ? null : `${path}${sub}`, body, group: path },
        crumbs: [{ label: group.nom, href: path }],
      })
    },
  )
}

const hrefOf = ({ slug }: CommuneListed, street = ''): string =>
  `/communes/${slug}${sub}${searchText({ adresse: street })}`

/** Links keep the street that was typed. */
const byCommune = (communes: readonly CommuneListed[], street?: string): Markup =>
  namesOf(communes.map((commune) => html`<a href="${hrefOf(commune, street)}">${commune.nom}</a>`))

/** The field for an address, which leads to the bins of a member; `path` is the page of the group. */
export const addressForm = (path: string, members: readonly CommuneListed[]): Markup => form(path, members)

const form = (
  path: string,
  [example]: readonly CommuneListed[],
  adresse = '',
): Markup => html`<form class="search" action="${path}${sub}">
<div><label for="adresse">${t.groups.address}</label>
<p class="hint" id="adresse-hint">${t.groups.addressHint(example?.nom ?? '')}</p>
<input type="text" id="adresse" name="adresse" value="${adresse}" maxlength="200" aria-describedby="adresse-hint" autocomplete="address-line1"></div>
<button type="submit">${t.collectes.findMine}</button>
</form>
<p><a href="${path}${sub}#communes">${t.groups.unknownAddress}</a></p>`

type Typed = { adresse: string; members: readonly CommuneListed[] }

/** Members that an address may mean, if it names none or several. All stand below in any case. */
async function foundFor(
  { lists }: Site,
  { communes, street, place }: SplitAddress,
  { adresse, members }: Typed,
): Promise<Markup> {
  if (communes.length > 0)
    return html`<p role="status">${t.groups.oneOfCode(adresse)}</p>
${byCommune(communes, street)}`
  const ids = members.map(({ id }) => id)
  const meant = hasWord(place) ? await listMeant(lists, place, maxMeant, ids) : []
  if (meant.length === 0) return html`<p role="status">${t.groups.whichCommune(adresse)}</p>`
  return html`<p role="status">${t.groups.perhapsIn(adresse)}</p>
${byCommune(meant, place === street ? '' : street)}`
}
