import { Readable } from 'node:stream'
import Type from 'typebox'
import { addressesOfActeurs } from '../modules/acteurs/reading.ts'
import { addressesOfCommunes } from '../modules/communes/reading.ts'
import { addressesOfPublications } from '../modules/publications/reading/queries.ts'
import { restrictionOf } from '../modules/publications/visibility.ts'
import { notFound } from '../platform/errors.ts'
import { escapeHtml } from '../platform/formats/text.ts'
import { type AddressList, listAddresses, listPieces } from '../platform/http/listing/addresses.ts'
import { idForm, type Position, readCursor, writeCursor } from '../platform/http/listing/cursor.ts'
import { oneOf } from '../platform/http/validation/schemas.ts'
import type { Pages, Site } from './site.ts'

const uncached = 'it is streamed, and read a few times a day'
/** The format allows no more in one file. */
const perPiece = 50_000
const perBatch = 5_000
const kinds = {
  communes: addressesOfCommunes,
  acteurs: addressesOfActeurs,
  publications: addressesOfPublications,
}
const names = ['communes', 'acteurs', 'publications'] as const
const xml = 'application/xml; charset=utf-8'
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/** The sitemap: an index of pieces, each of which begins after a record, and the pieces. */
export const sitemapPages: Pages = (scope, site) => {
  scope.get('/sitemap.xml', { config: { uncached, isList: true } }, async ({ caller }, reply) => {
    const communeIds = restrictionOf(caller)
    const pieces = await Promise.all(
      names.map(async (name) => [
        `${name}.xml`,
        ...(await listPieces(site.lists, kinds[name](communeIds), perPiece)).map(
          (position) => `${name}.xml?apres=${writeCursor(position)}`,
        ),
      ]),
    )
    const lines = pieces
      .flat()
      .map((piece) => `<sitemap><loc>${escapeHtml(`${site.url}/sitemap/${piece}`)}</loc></sitemap>\n`)
    return reply
      .type(xml)
      .send(`${declaration}<sitemapindex ${namespace}>\n${lines.join('')}</sitemapindex>\n`)
  })

  scope.get(
    '/sitemap/:name',
    {
      config: { uncached, isList: true },
      schema: {
        params: Type.Object({ name: oneOf(names.map((name) => `${name}.xml` as const)) }),
        querystring: Type.Object({ apres: Type.Optional(Type.String({ maxLength: 200 })) }),
      },
    },
    async ({ params, query: { apres }, caller }, reply) => {
      const name = names.find((one) => params.name === `${one}.xml`)
      const after = apres === undefined ? null : readCursor(apres, idForm)
      if (name === undefined || (after === null && apres !== undefined)) throw notFound()
      const rows = streamed(site, name, kinds[name](restrictionOf(caller)), after)
      return reply.type(xml).send(Readable.from(rows))
    },
  )
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** Writes a piece batch by batch. */
async function* streamed(
  { lists, url }: Site,
  name: (typeof names)[number],
  list: AddressList,
  start: Position | null,
): AsyncGenerator<string> {
  yield `${declaration}<urlset ${namespace}>\n`
  let after = start
  for (let left = perPiece; left > 0; left -= perBatch) {
    const rows = await listAddresses(lists, list, after, Math.min(left, perBatch))
    yield rows
      .map(({ slug, updated_at }) => {
        const address = escapeHtml(`${url}/${name}/${slug}`)
        return `<url><loc>${address}</loc><lastmod>${updated_at.toISOString()}</lastmod></url>\n`
      })
      .join('')
    after = rows.at(-1)?.position ?? null
    if (after === null || rows.length < perBatch) break
  }
  yield '</urlset>\n'
}
