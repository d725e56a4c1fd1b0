import { Readable } from 'node:stream'
import { listUpdatedCommunes } from '../modules/communes/reading.ts'
import { listUpdated } from '../modules/publications/reading/routes.ts'
import { isFeatured } from '../modules/publications/stored-lists.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import { escapeHtml } from '../platform/formats/text.ts'
import type { Position } from '../platform/http/listing/cursor.ts'
import { pathOf } from './rows.ts'
import type { Pages, Site } from './site.ts'

const uncached = 'it is streamed, and read a few times a day'
const batch = 1_000
/** The format allows no more in one file. */
const maxListed = 50_000
const yearMs = 365 * 86_400_000
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

type Row = { id: string; slug: string; updated_at: Date | string }
type ReadBatch<R> = (after: Position, limit: number) => Promise<R[]>

/** The sitemap: all communes, and the publications that changed in the last year. */
export const sitemapPages: Pages = (scope, site) => {
  const { lists, clock, url } = site
  scope.get('/sitemap.xml', { config: { uncached } }, async (_request, reply) => {
    const pieces = ['communes', 'publications'].map(
      (piece) => `<sitemap><loc>${escapeHtml(`${url}/sitemap/${piece}.xml`)}</loc></sitemap>\n`,
    )
    return reply
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex ${namespace}>\n${pieces.join('')}</sitemapindex>\n`,
      )
  })

  scope.get('/sitemap/communes.xml', { config: { uncached, isList: true } }, async ({ caller }, reply) => {
    const communeIds = restrictionOf(caller)
    const read = (after: Position, limit: number) => listUpdatedCommunes(lists, {}, after, limit)
    const isShown = ({ id }: Row) => communeIds === null || communeIds.includes(id)
    const rows = streamed(read, '0001-01-01T00:00:00Z', ({ slug }) => `/communes/${slug}`, { site, isShown })
    return reply.type('application/xml; charset=utf-8').send(Readable.from(rows))
  })

  scope.get(
    '/sitemap/publications.xml',
    { config: { uncached, isList: true } },
    async ({ caller }, reply) => {
      const list = { filters: {}, communeIds: restrictionOf(caller), comesFirst: isFeatured }
      const read = (after: Position, limit: number) => listUpdated(lists, list, after, limit)
      const since = new Date(clock().getTime() - yearMs).toISOString()
      const rows = streamed(read, since, pathOf, { site, isShown: () => true })
      return reply.type('application/xml; charset=utf-8').send(Readable.from(rows))
    },
  )
}

/** Writes a piece batch by batch, in the order of the last change. */
async function* streamed<R extends Row>(
  read: ReadBatch<R>,
  since: string,
  pathOfRow: (row: R) => string,
  { site, isShown }: { site: Site; isShown: (row: R) => boolean },
): AsyncGenerator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<urlset ${namespace}>\n`
  let after: Position = { at: since, id: '00000000-0000-0000-0000-000000000000' }
  for (let listed = 0; listed < maxListed; listed += batch) {
    const rows = await read(after, batch)
    yield rows
      .filter(isShown)
      .map((row) => {
        const at = new Date(row.updated_at).toISOString()
        return `<url><loc>${escapeHtml(`${site.url}${pathOfRow(row)}`)}</loc><lastmod>${at}</lastmod></url>\n`
      })
      .join('')
    const last = rows.at(-1)
    if (last === undefined || rows.length < batch) break
    after = { at: new Date(last.updated_at).toISOString(), id: last.id }
  }
  yield '</urlset>\n'
}
