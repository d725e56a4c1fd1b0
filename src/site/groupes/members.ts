import Type from 'typebox'
import { listMeant } from '../../modules/communes/reading.ts'
import type { CommuneListed } from '../../modules/communes/schema.ts'
import { type SplitAddress, splitAddress } from '../../modules/groups/by-address.ts'
import { ByIdOrSlug } from '../../modules/groups/reading.ts'
import { hasWord } from '../../platform/formats/text.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
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

/** A page of a group that leads to the same page of each member. */
type Way = {
  sub: '/collectes' | '/abonnement'
  title(nom: string): string
  lead: string | null
  /** Above the names of the members. */
  byCommune: string
  submit: string
  /** The page of the commune looks for the street that was typed. */
  keepsStreet: boolean
}
const toBins: Way = {
  ...{ sub: '/collectes', title: t.groups.binsOf, lead: null, byCommune: t.groups.binsByCommune },
  ...{ submit: t.collectes.findMine, keepsStreet: true },
}
/**
 * The messages of a group come with those of each member, so that an alert for some of them reaches their residents alone, and
 * whoever follows several gets it once. A commune that joins or leaves takes its residents along.
 */
const toMessages: Way = {
  ...{ sub: '/abonnement', title: t.abonnement.title, lead: t.groups.messagesLead },
  ...{ byCommune: t.groups.messagesByCommune, submit: t.groups.next, keepsStreet: false },
}

/** The ways to the bins of each member of a group and to its messages: by an address with its commune, or by the name of the commune. */
export const groupMemberPages: Pages = (scope) => {
  for (const way of [toBins, toMessages]) wayPage(scope, way)
}

function wayPage(scope: HttpServer, way: Way): void {
  scope.get(
    `/groupes/:idOrSlug${way.sub}`,
    {
      config: { caching: { shows: [...tablesOfGroup, 'communes'], unless: 'adresse' }, load: 'list' },
      schema: { params: ByIdOrSlug, querystring: Query },
    },
    async ({ params: { idOrSlug }, query: { adresse = '' }, caller, url, site }, reply) => {
      const { group, members } = await shownGroup(site, caller, idOrSlug)
      const path = `/groupes/${group.slug}`
      if (group.slug !== idOrSlug) return reply.redirect(`${path}${way.sub}${searchOf(url)}`, 301)
      const isAsked = hasWord(adresse)
      const split = isAsked ? splitAddress(adresse, members) : null
      const [only, ...others] = split?.communes ?? []
      if (split !== null && only !== undefined && others.length === 0)
        return reply.redirect(hrefOf(way, only, split.street), 302)
      const title = way.title(group.nom)
      const body = html`<h1>${title}</h1>
${
  way.lead &&
  html`<p class="lead">${way.lead}</p>
`
}${members.length > 0 && form(way, path, members, adresse)}
${split && (await foundFor(site, way, split, { adresse, members }))}
<section aria-labelledby="communes"><h2 id="communes">${way.byCommune}</h2>
${members.length > 0 ? byCommune(way, members, split?.street) : html`<p class="empty">${t.groups.none}</p>`}</section>`
      return sendPage(reply, site, {
        ...{ title, description: title, path: isAsked ? null : `${path}${way.sub}`, body, group: path },
        crumbs: [{ label: group.nom, href: path }],
      })
    },
  )
}

const hrefOf = ({ sub, keepsStreet }: Way, { slug }: CommuneListed, street = ''): string =>
  `/communes/${slug}${sub}${searchText({ adresse: keepsStreet ? street : '' })}`

/** Links keep the street that was typed. */
const byCommune = (way: Way, communes: readonly CommuneListed[], street?: string): Markup =>
  namesOf(communes.map((commune) => html`<a href="${hrefOf(way, commune, street)}">${commune.nom}</a>`))

/** The field for an address, which leads to the bins of a member; `path` is the page of the group. */
export const addressForm = (path: string, members: readonly CommuneListed[]): Markup =>
  form(toBins, path, members)

const form = (
  { sub, submit }: Way,
  path: string,
  [example]: readonly CommuneListed[],
  adresse = '',
): Markup => html`<form class="search" action="${path}${sub}">
<div><label for="adresse">${t.groups.address}</label>
<p class="hint" id="adresse-hint">${t.groups.addressHint(example?.nom ?? '')}</p>
<input type="text" id="adresse" name="adresse" value="${adresse}" maxlength="200" aria-describedby="adresse-hint" autocomplete="address-line1"></div>
<button type="submit">${submit}</button>
</form>
<p><a href="${path}${sub}#communes">${t.groups.unknownAddress}</a></p>`

type Typed = { adresse: string; members: readonly CommuneListed[] }

/** Members that an address may mean, if it names none or several. All stand below in any case. */
async function foundFor(
  { lists }: Site,
  way: Way,
  { communes, street, place }: SplitAddress,
  { adresse, members }: Typed,
): Promise<Markup> {
  if (communes.length > 0)
    return html`<p role="status">${t.groups.oneOfCode(adresse)}</p>
${byCommune(way, communes, street)}`
  const ids = members.map(({ id }) => id)
  const meant = hasWord(place) ? await listMeant(lists, place, maxMeant, ids) : []
  if (meant.length === 0) return html`<p role="status">${t.groups.whichCommune(adresse)}</p>`
  return html`<p role="status">${t.groups.perhapsIn(adresse)}</p>
${byCommune(way, meant, place === street ? '' : street)}`
}
