import Type from 'typebox'
import { publicActeurs } from '../modules/acteurs/reading.ts'
import { openActsList } from '../modules/acts/open.ts'
import { tablesOfActs } from '../modules/acts/reading.ts'
import { isNamedBy } from '../modules/communes/reading.ts'
import { listShown } from '../modules/publications/reading/queries.ts'
import { isFeatured } from '../modules/publications/stored-lists.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import type { Caller } from '../platform/access/caller.ts'
import { hasWord } from '../platform/formats/text.ts'
import { numberedPage } from '../platform/http/listing/list-page.ts'
import { pagingOf, type Total } from '../platform/http/listing/paging.ts'
import { oneOf, text } from '../platform/http/validation/schemas.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import { actRows } from './actes.ts'
import { acteurRows } from './acteurs.ts'
import { tablesOfPublications } from './commune-pages.ts'
import { communeSearch, directory, findCommunes, sendDepartement } from './home.ts'
import { html, type Markup } from './html.ts'
import { sendPage } from './layout.ts'
import { daysTag } from './module.ts'
import { communeRows, departementCode, pager, publicationRows, searchText } from './rows.ts'
import { foldSeries } from './series.ts'
import type { Pages, Site } from './site.ts'
import { t } from './text.ts'

const shows = [
  ...[daysTag, 'search_terms'],
  ...new Set([...tablesOfPublications, ...tablesOfActs]),
  ...['publication_communes', 'commune_aliases', 'commune_former_names', 'act_files'],
]
const perPage = 20
const maxCommunes = 30
const firstOnes = { communes: 5, acteurs: 5, publications: 10, actes: 5 }
const kinds = ['acteurs', 'publications', 'actes'] as const
type Kind = (typeof kinds)[number]
const Query = Type.Object({
  q: Type.Optional(text(200)),
  dans: Type.Optional(oneOf(kinds)),
  page: Type.Optional(Type.Integer({ minimum: 1 })),
})

const CommunesQuery = Type.Object({
  q: Type.Optional(text(200)),
  departement: Type.Optional(departementCode),
  /** The page of the commune that is meant. */
  pour: Type.Optional(oneOf(['collectes', 'inscrire'])),
  /** Words that the search of the commune is to find. */
  mots: Type.Optional(text(200)),
})

/** The search for a commune, and in communes, acteurs, publications and acts: a few of each, or a page of one kind. */
export const searchPages: Pages = (scope) => {
  const config = { caching: { shows }, load: 'list' } as const
  scope.get(
    '/communes',
    { config, schema: { querystring: CommunesQuery } },
    async ({ query: { q = '', departement, pour, mots = '' }, caller, site }, reply) => {
      const sub = mots === '' ? pour && `/${pour}` : `/recherche${searchText({ q: mots })}`
      const isAsked = q.trim() !== ''
      if (!isAsked && departement !== undefined) return sendDepartement(reply, site, caller, departement)
      // Without a letter or a digit, the API ignores a search and lists all communes.
      const found = hasWord(q) ? await findCommunes(site, caller, q, maxCommunes + 1) : []
      const [only] = found
      // The beginning of a name may be meant for another commune.
      if (only !== undefined && found.length === 1 && (await isNamedBy(site.lists, only.id, q)))
        return reply.redirect(`/communes/${only.slug}${sub ?? ''}`, 302)
      const results = async () =>
        found.length > 0
          ? html`<section aria-labelledby="trouvees"><h2 id="trouvees">${t.communes.found(q)}</h2>
${communeRows(found.slice(0, maxCommunes), q, sub)}${found.length > maxCommunes && html`<p>${t.communes.firstOnes(maxCommunes)}</p>`}</section>`
          : // People type the name of an association, too.
            html`<p>${t.communes.none(q)}</p>${hasWord(q) && (await elsewhere(site, caller, q))}`
      const [heading, path] = headOf({ pour, mots })
      const body = html`<h1>${heading}</h1>
${communeSearch(q, { pour, mots })}
${isAsked ? await results() : await directory(site, caller)}`
      return sendPage(reply, site, {
        title: t.publications.titled(heading, [t.publications.quoted(q)]),
        ...{ description: t.home.lead, path: q === '' ? path : null, body },
      })
    },
  )

  /** Shows the publications and acteurs with these words, and asks for the commune whose services they name. */
  async function elsewhere(site: Site, caller: Caller, q: string): Promise<Markup> {
    const [topics, ...all] = await Promise.all([
      site.findTopics(q),
      ...kinds.map((kind) => find(site, caller, { kind, q, page: 1, perPage: firstOnes[kind] })),
    ])
    return html`${topics.length > 0 && inCommune(q)}${all.map(sectionOf(q))}`
  }

  scope.get(
    '/recherche',
    { config, schema: { querystring: Query } },
    async ({ query: { q: given, dans, page = 1 }, caller, site }, reply) => {
      const q = given ?? ''
      const found = hasWord(q) ? await (dans ? onePage(dans) : allKinds()) : given !== undefined && noWord(q)
      const body = html`<h1>${t.recherche.title}</h1>
<form class="search" action="/recherche" role="search">
<div><label for="q">${t.recherche.label}</label>
<input type="search" id="q" name="q" value="${q}" maxlength="200"${given === undefined && html` autofocus`}></div>
<button type="submit">${t.search}</button>
</form>
${found}`
      const path = q === '' ? '/recherche' : null
      return sendPage(reply, site, {
        title: t.publications.titled(t.recherche.title, [
          t.publications.quoted(q),
          dans !== undefined && t.recherche[dans],
          t.publications.pageNumber(page),
        ]),
        ...{ description: t.home.lead, path, body },
      })

      async function allKinds(): Promise<Markup> {
        const [topics, communes, ...others] = await Promise.all([
          site.findTopics(q),
          findCommunes(site, caller, q, firstOnes.communes + 1),
          ...kinds.map((kind) => find(site, caller, { kind, q, page: 1, perPage: firstOnes[kind] })),
        ])
        const shown = communes.slice(0, firstOnes.communes)
        const services = topics.length > 0 && inCommune(q)
        if (communes.length === 0 && others.every(({ total }) => total === 0)) return services || nothing(q)
        return html`${services}${
          shown.length > 0 &&
          section(
            'communes',
            t.recherche.communes,
            communeRows(shown, q),
            communes.length > shown.length && `/communes${searchText({ q })}`,
          )
        }${others.map(sectionOf(q))}`
      }

      async function onePage(kind: Kind): Promise<Markup> {
        const { rows, total, isAtLeast = false } = await find(site, caller, { kind, q, page, perPage })
        const last = Math.max(1, Math.ceil(total / perPage))
        const hrefOf = (at: number) =>
          `/recherche${searchText({ q, dans: kind, page: at === 1 ? '' : `${at}` })}`
        const pages = html`${page > last ? html`<p>${t.publications.pastEnd}</p>` : rows}
${pager(page, last, hrefOf)}`
        const all = html`<p><a href="/recherche${searchText({ q })}">${t.recherche.all}</a></p>`
        if (total === 0) return html`${nothing(q)}${all}`
        return html`${section(kind, t.recherche.found(t.recherche[kind], total, isAtLeast), pages)}${all}`
      }
    },
  )
}

type Found = { kind: Kind; rows: Markup } & Total
type Wanted = { kind: Kind; q: string; page: number; perPage: number }

async function find(site: Site, caller: Caller, { kind, q, page, perPage }: Wanted): Promise<Found> {
  const communeIds = restrictionOf(caller)
  const paging = { page, per_page: perPage }
  if (kind === 'publications') {
    const list = { filters: { q }, communeIds, comesFirst: isFeatured }
    const { rows, ...total } = await listShown(site.lists, list, pagingOf(paging, perPage))
    const folded = await foldSeries(site, rows, todayInParis(site.clock()), communeIds)
    const isAll = rows.length === total.total
    return { kind, rows: publicationRows(folded), ...total, ...(isAll && { total: folded.length }) }
  }
  // An act about a person is found on the pages of its commune alone.
  if (kind === 'actes') {
    const query = { q, ...paging, ...(communeIds !== null && { within: communeIds }) }
    const { data, meta } = await numberedPage(site.lists, openActsList, query, perPage)
    return { kind, rows: actRows(data, 'h3'), ...totalOf(meta) }
  }
  const query = { q, ...paging, ...(communeIds !== null && { commune_ids: communeIds }) }
  const { data, meta } = await numberedPage(site.lists, publicActeurs, query, perPage)
  return { kind, rows: acteurRows(data, 'h3', true), ...totalOf(meta) }
}

const totalOf = ({
  total,
  total_is_at_least: isAtLeast = false,
}: {
  total: number
  total_is_at_least?: boolean
}) => ({
  total,
  isAtLeast,
})

/** The first ones of a kind, with a link to all of them. */
const sectionOf =
  (q: string) =>
  ({ kind, rows, total, isAtLeast = false }: Found): Markup | false =>
    total > 0 &&
    section(
      kind,
      t.recherche.found(t.recherche[kind], total, isAtLeast),
      rows,
      total > firstOnes[kind] && `/recherche${searchText({ q, dans: kind })}`,
    )

/** What is asked, and the address of the page without words; null: it has none of its own. */
function headOf({ pour, mots }: { pour?: 'collectes' | 'inscrire' | undefined; mots: string }) {
  if (mots !== '') return [t.communes.forWords(mots), null] as const
  return pour === undefined
    ? ([t.communes.title, '/communes'] as const)
    : ([t.communes.for[pour], null] as const)
}

/** Asks for the commune in which the words name a service, such as "déchetterie". */
const inCommune = (q: string): Markup => html`
<section aria-labelledby="ici"><h2 id="ici">${t.communes.forWords(q)}</h2>
${communeSearch('', { mots: q })}</section>`

const nothing = (q: string) => html`<p>${t.recherche.none(q)}</p>`

const noWord = (q: string) =>
  html`<p>${q.trim() !== '' && `${t.recherche.none(q)} `}${t.recherche.noWord}</p>`

const section = (id: Kind | 'communes', title: string, rows: Markup, more: string | false = false) => html`
<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${rows}${
  more &&
  html`
<p><a class="more" href="${more}">${t.recherche.more[id]}<span aria-hidden="true"> ›</span></a></p>`
}
</section>`
