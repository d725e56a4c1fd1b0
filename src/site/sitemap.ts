import Type from 'typebox'
import { addressesOfActeurs } from '../modules/acteurs/reading.ts'
import { addressesOfActs } from '../modules/acts/open.ts'
import { addressesOfCommunes } from '../modules/communes/reading.ts'
import { addressesOfGroups } from '../modules/groups/reading.ts'
import { addressesOfPages } from '../modules/pages/queries.ts'
import { addressesOfPublications } from '../modules/publications/reading/queries.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import type { Database } from '../platform/database/connect.ts'
import { notFound } from '../platform/errors.ts'
import { escapeHtml } from '../platform/formats/text.ts'
import { listAddresses, listPieces } from '../platform/http/listing/addresses.ts'
import type { Position } from '../platform/http/listing/cursor.ts'
import { oneOf } from '../platform/http/validation/schemas.ts'
import type { Pages, Site } from './site.ts'

const uncached = 'its finished files are kept'
/** The format allows no more in one file. */
const perPiece = 50_000
const perBatch = 1_000
const kinds = {
  communes: (_db: Database, communeIds: CommuneIds) => addressesOfCommunes(communeIds),
  acteurs: (_db: Database, communeIds: CommuneIds) => addressesOfActeurs(communeIds),
  publications: addressesOfPublications,
  groupes: (_db: Database, communeIds: CommuneIds) => addressesOfGroups(communeIds),
  actes: (_db: Database, communeIds: CommuneIds) => addressesOfActs(communeIds),
  pages: (_db: Database, communeIds: CommuneIds) => addressesOfPages(communeIds),
}
const names = ['communes', 'acteurs', 'publications', 'actes', 'groupes', 'pages'] as const
/** A page stands below its commune. */
const folderOf = (name: Name) => (name === 'pages' ? 'communes' : name)
const xml = 'application/xml; charset=utf-8'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** The sitemap: an index of pieces, each of which begins after a record, and the pieces. */
export const sitemapPages: Pages = (scope, site) => {
  const { lists, finished } = site
  const startsOf = keptForAMinute(site.clock, async (name: Name, communeIds: CommuneIds) =>
    listPieces(lists, await kinds[name](lists, communeIds), perPiece),
  )

  scope.get(
    '/sitemap.xml',
    { config: { caching: { never: uncached }, load: 'file' } },
    async (request, reply) => {
      const { url } = request.site
      const communeIds = restrictionOf(request.caller)
      return finished.send(request, reply.type(xml), keyOf(url, 'index', communeIds), async function* () {
        const pieces = names.map(async (name) =>
          [null, ...(await startsOf(name, communeIds))].map(
            (_start, at) => `${url}/sitemap/${name}.xml${at === 0 ? '' : `?page=${at + 1}`}`,
          ),
        )
        const lines = (await Promise.all(pieces))
          .flat()
          .map((piece) => `<sitemap><loc>${escapeHtml(piece)}</loc></sitemap>\n`)
        yield `${declaration}<sitemapindex ${namespace}>\n${lines.join('')}</sitemapindex>\n`
      })
    },
  )

  scope.get(
    '/sitemap/:name',
    {
      config: { caching: { never: uncached }, load: 'file' },
      schema: {
        params: Type.Object({ name: oneOf(names.map((name) => `${name}.xml` as const)) }),
        querystring: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1 })) }),
      },
    },
    async (request, reply) => {
      const { params, query, caller, site } = request
      const { page = 1 } = query
      const communeIds = restrictionOf(caller)
      const name = params.name.slice(0, -'.xml'.length) as Name
      const start = page === 1 ? null : (await startsOf(name, communeIds))[page - 2]
      if (start === undefined) throw notFound()
      const rows = () => pieceOf(site, name, communeIds, start)
      return finished.send(request, reply.type(xml), keyOf(site.url, `${name} ${page}`, communeIds), rows)
    },
  )
}

type Name = (typeof names)[number]
type CommuneIds = ReturnType<typeof restrictionOf>
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const keyOf = (url: string, piece: string, communeIds: CommuneIds) =>
  `${url} sitemap ${piece} ${JSON.stringify(communeIds)}`

/** Keeps what a function of these arguments returns, so that it runs at most once a minute for each of them. */
function keptForAMinute<Args extends unknown[], Result>(
  clock: Site['clock'],
  read: (...args: Args) => Promise<Result>,
) {
  const kept = new Map<string, { until: number; result: Promise<Result> }>()
  return (...args: Args): Promise<Result> => {
    const now = clock().getTime()
    for (const [key, { until }] of kept) if (until <= now) kept.delete(key)
    const key = JSON.stringify(args)
    const known = kept.get(key)
    if (known !== undefined) return known.result
    const result = read(...args)
    kept.set(key, { until: now + 60_000, result })
    result.catch(() => kept.delete(key))
    return result
  }
}

/** Writes a piece batch by batch. */
async function* pieceOf(
  { lists, url }: Site,
  name: Name,
  communeIds: CommuneIds,
  start: Position | null,
): AsyncGenerator<string> {
  let head = `${declaration}<urlset ${namespace}>\n`
  let after = start
  for (let left = perPiece; left > 0; left -= perBatch) {
    const list = await kinds[name](lists, communeIds)
    const rows = await listAddresses(lists, list, after, perBatch)
    const lines = rows.map(({ slug, updated_at }) => {
      const address = escapeHtml(`${url}/${folderOf(name)}/${slug}`)
      return `<url><loc>${address}</loc><lastmod>${updated_at.toISOString()}</lastmod></url>\n`
    })
    yield head + lines.join('')
    head = ''
    after = rows.at(-1)?.position ?? null
    if (after === null || rows.length < perBatch) break
  }
  yield '</urlset>\n'
}
