import type { SearchAction, WithActionConstraints } from 'schema-dts'
import Type from 'typebox'
import { listCommunes } from '../modules/communes/reading.ts'
import type { CommuneListed } from '../modules/communes/schema.ts'
import { listShown } from '../modules/publications/reading/queries.ts'
import { isFeatured } from '../modules/publications/stored-lists.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import type { Caller } from '../platform/access/caller.ts'
import { pagingOf } from '../platform/http/listing/paging.ts'
import { text } from '../platform/http/validation/schemas.ts'
import { sendCommune, tablesOfCommune } from './commune.ts'
import { html, type Markup } from './html.ts'
import { type StructuredData, sendPage } from './layout.ts'
import { communeRows, publicationRows } from './rows.ts'
import { type Pages, type Site, shownCommune } from './site.ts'
import { t } from './text.ts'

const maxFound = 30

/** The home of the site, and the search for a commune. */
export const homePages: Pages = (scope, site) => {
  scope.get('/', { config: { shows: tablesOfCommune, isList: true } }, async ({ caller }, reply) => {
    const [only, ...others] = restrictionOf(caller) ?? []
    if (only !== undefined && others.length === 0)
      return sendCommune(reply, site, await shownCommune(site, caller, only))
    const list = { filters: {}, communeIds: restrictionOf(caller), comesFirst: isFeatured }
    const paging = pagingOf({ per_page: 10 }, 10)
    const { rows } = await listShown(site.lists, list, paging)
    const featured = rows.filter(({ en_avant }) => en_avant)
    const body = html`<h1>${site.settings.name}</h1>
<p class="lead">${t.home.lead}</p>
${communeSearch()}
<section aria-labelledby="une"><h2 id="une">${t.home.latest}</h2>
${featured.length > 0 ? publicationRows(featured) : html`<p class="soft">${t.home.none}</p>`}
</section>`
    const search: WithActionConstraints<SearchAction> = {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${site.url}/recherche?q={q}` },
      'query-input': 'required name=q',
    }
    const data: StructuredData = {
      '@context': 'https://schema.org',
      '@type': 'WebSite',
      name: site.settings.name,
      url: `${site.url}/`,
      inLanguage: 'fr',
      potentialAction: search,
    }
    const page = { title: site.settings.name, description: t.home.lead, path: '/', body, data: [data] }
    return sendPage(reply, site, page)
  })

  scope.get(
    '/communes',
    {
      config: { shows: ['communes', 'commune_aliases', 'commune_former_names'], isList: true },
      schema: { querystring: Type.Object({ q: Type.Optional(text(200)) }) },
    },
    async ({ query: { q = '' }, caller }, reply) => {
      const found = q.trim() === '' ? null : await findCommunes(site, caller, q, maxFound)
      const [only] = found ?? []
      if (only !== undefined && found?.length === 1) return reply.redirect(`/communes/${only.slug}`, 302)
      const body = html`<h1>${t.communes.title}</h1>
${communeSearch(q)}
${
  found &&
  html`<section aria-labelledby="trouvees"><h2 id="trouvees">${t.communes.found(q)}</h2>
${found.length === 0 ? html`<p>${t.communes.none(q)}</p>` : communeRows(found)}
</section>`
}`
      const path = q === '' ? '/communes' : null
      return sendPage(reply, site, { title: t.communes.title, description: t.home.lead, path, body })
    },
  )
}

/** Finds communes as the API does, among those that the site shows. */
export async function findCommunes(
  { lists }: Site,
  caller: Caller,
  q: string,
  limit: number,
): Promise<CommuneListed[]> {
  const communeIds = restrictionOf(caller)
  const rows = await listCommunes(
    lists,
    { q },
    pagingOf({ per_page: communeIds === null ? limit : 100 }, limit),
  )
  return rows.filter(({ id }) => communeIds === null || communeIds.includes(id)).slice(0, limit)
}

const communeSearch = (q = ''): Markup => html`<form class="search" action="/communes" role="search">
<div><label for="commune">${t.communes.label}</label>
<span class="hint" id="commune-aide">${t.communes.placeholderless}</span>
<input type="search" id="commune" name="q" value="${q}" maxlength="200" autocomplete="off" aria-describedby="commune-aide"></div>
<button type="submit">${t.communes.submit}</button>
</form>`
