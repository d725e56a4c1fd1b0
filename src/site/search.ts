import Type from 'typebox'
import { listCommunes } from '../modules/communes/reading.ts'
import { listShown } from '../modules/publications/reading/queries.ts'
import { isFeatured } from '../modules/publications/stored-lists.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import { hasWord } from '../platform/formats/text.ts'
import { pagingOf } from '../platform/http/listing/paging.ts'
import { text } from '../platform/http/validation/schemas.ts'
import { tablesOfPublications } from './commune-pages.ts'
import { html, type Markup } from './html.ts'
import { sendPage } from './layout.ts'
import { communeRows, publicationRows } from './rows.ts'
import type { Pages } from './site.ts'
import { t } from './text.ts'

const shows = [...tablesOfPublications, 'publication_communes', 'commune_aliases', 'commune_former_names']

/** The search in communes and publications. */
export const searchPage: Pages = (scope, site) => {
  scope.get(
    '/recherche',
    {
      config: { shows, isList: true },
      schema: { querystring: Type.Object({ q: Type.Optional(text(200)) }) },
    },
    async ({ query: { q = '' }, caller }, reply) => {
      const communeIds = restrictionOf(caller)
      const isAsked = hasWord(q)
      const list = { filters: { q }, communeIds, comesFirst: isFeatured }
      const [communes, publications] = isAsked
        ? await Promise.all([
            listCommunes(site.lists, { q }, pagingOf({ per_page: communeIds === null ? 5 : 100 }, 5)),
            listShown(site.lists, list, pagingOf({ per_page: 20 }, 20)),
          ])
        : [[], { rows: [] }]
      const shown = communes.filter(({ id }) => communeIds === null || communeIds.includes(id)).slice(0, 5)
      const isNothing = isAsked && shown.length + publications.rows.length === 0
      const body = html`<h1>${t.recherche.title}</h1>
<form class="search" action="/recherche" role="search">
<div><label for="q">${t.recherche.label}</label>
<input type="search" id="q" name="q" value="${q}" maxlength="200"></div>
<button type="submit">${t.search}</button>
</form>
${isNothing && html`<section><p>${t.recherche.none(q)}</p></section>`}
${shown.length > 0 && section('communes', t.recherche.communes, communeRows(shown))}
${publications.rows.length > 0 && section('publications', t.recherche.publications, publicationRows(publications.rows))}`
      const path = q === '' ? '/recherche' : null
      return sendPage(reply, site, { title: t.recherche.title, description: t.home.lead, path, body })
    },
  )
}

const section = (
  id: string,
  title: string,
  body: Markup,
) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${body}</section>`
