import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import Type from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { ShownRequest } from '../../platform/http/cache/lookup.ts'
import { namesTag } from '../../platform/http/conditional.ts'
import type { HttpServer, SignedInScope } from '../../platform/http/http-server.ts'
import type { Deps } from '../../platform/module.ts'
import { isPublicActeur } from '../acteurs/reading.ts'
import { isPublicPage } from '../communes/public-pages.ts'
import { createCutter, cuts, isCut } from '../media/cuts.ts'
import type { Format, Width } from '../media/decoding/decoded.ts'
import { publicAddress } from '../media/images.ts'
import { maySee } from '../media/permissions.ts'
import { getMedia, type MediaRow, showing, showingPage } from '../media/queries.ts'
import { ByPublicFile, ByVariant } from '../media/schema.ts'
import { storeOf } from '../media/store/object-store.ts'
import { type MediaBytes, readVariant } from '../media/store/reading.ts'
import { findDocument, sendDocument } from './documents.ts'
import { listMairiesConcerned } from './moderation/queries.ts'
import { visible } from './visibility.ts'

/**
 * The bytes of pictures and documents. A public address answers while a visible record shows them, and is otherwise the
 * same 404 as one that never was. The private address is for those who may read the record, whatever its state.
 */

/** The bytes of an address never change. Caches on the way ask again after a minute, so that a picture can disappear. */
const caching = 'public, max-age=31536000, s-maxage=60, immutable'

/** Changes of a picture's publications, pages, communes and élus are notified under its id too. */
const tagsOf = ({ params }: ShownRequest) => [
  `publications:${`${params.id}`.toLowerCase()}`,
  'publications*',
  'acteurs',
]

const types: Record<Format, string> = { avif: 'image/avif', webp: 'image/webp', jpeg: 'image/jpeg' }

const Bytes = Type.Unsafe<Buffer>(
  Type.String({
    title: 'PictureBytes',
    contentEncoding: 'binary',
    description: 'The picture or document',
    examples: ['…'],
  }),
)

/** Documents the formats of a variant. */
const variantResponse = {
  description: 'The picture or document',
  content: Object.fromEntries(
    [...Object.values(types), 'application/pdf'].map((type) => [type, { schema: Bytes }]),
  ),
}

const isDocument = (file: string) => file.endsWith('.pdf')

/** Reads the name of a variant such as `800.jpg`, as its schema accepts it. */
function variantOf(file: string): { width: Width; format: Format } {
  const [width, extension] = file.split('.')
  return { width: Number(width) as Width, format: extension === 'jpg' ? 'jpeg' : (extension as Format) }
}

/** Sends a variant. It is shown and nothing else: no page may run in it. */
const sendPicture = (reply: FastifyReply, type: string, content: Buffer) =>
  reply
    .type(type)
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    .send(content)

export function publicPictureRoutes(
  scope: HttpServer,
  { reads, config }: Pick<Deps, 'reads' | 'config'>,
): void {
  const from = { reads, store: storeOf(config) }
  const cut = createCutter()
  scope.get(
    '/media/:id/:file',
    {
      config: {
        caching: { shows: ['publications', 'acteurs', 'communes', 'elus', 'commune_pages'], tagsOf },
      },
      schema: { params: ByPublicFile },
    },
    async (request, reply) => {
      const { id, file } = request.params
      if (isDocument(file)) return sendPublicDocument(from, request, reply)
      const wanted = isCut(file) ? null : variantOf(file)
      const { sha256, width, format } = (await findVisiblePicture(reads, id, wanted)) ?? raise(notFound())
      const etag = `"${sha256.slice(0, 32)}-${file}"`
      const isKnown = namesTag(request.headers['if-none-match'], etag)
      const stored = () => readVariant(from, { sha256, width, format })
      const read = () => (isCut(file) ? cut(sha256, file, stored) : stored())
      const content = isKnown ? null : await read()
      reply.header('etag', etag).header('cache-control', caching)
      for (const [name, value] of request.edgeHeaders?.() ?? []) reply.header(name, value)
      if (content === null) return reply.code(304).send()
      return sendPicture(reply, isCut(file) ? cuts[file].type : types[format], content)
    },
  )
}

type Asked = FastifyRequest & { params: { id: string; file: string } }

/** Sends a document that a visible publication shows. Its address follows its name: a former one leads to the present one. */
async function sendPublicDocument(from: MediaBytes, request: Asked, reply: FastifyReply) {
  const { id, file } = request.params
  const document = (await findDocument(from.reads, id, isVisible)) ?? raise(notFound())
  for (const [name, value] of request.edgeHeaders?.() ?? []) reply.header(name, value)
  const present = `${document.slug}.pdf`
  if (file !== present)
    return reply
      .header('cache-control', 'no-cache')
      .redirect(`${publicAddress}/${document.id}/${present}`, 302)
  return sendDocument(from, request, reply.header('cache-control', caching), document)
}

/** True if a visible publication or a public page shows `media m`, a public acteur as its logo, a commune, or an élu as the portrait. */
const isVisible = sql<boolean>`(m.unscanned_since is null and (exists (
  select from publications p left join acteurs a on a.id = p.acteur_id where ${showing} and ${visible})
  or exists (select from commune_pages g where ${showingPage} and ${isPublicPage})
  or exists (select from acteurs where logo = m.id and ${isPublicActeur})
  or exists (select from communes where blason = m.id or photo = m.id)
  or exists (select from elus where photo = m.id)))`

type Variant = ReturnType<typeof variantOf>

/** Returns this variant of a picture, or the largest JPEG, if a visible record shows it. */
async function findVisiblePicture(
  db: Database,
  id: string,
  wanted: Variant | null,
): Promise<(Pick<MediaRow, 'sha256'> & Variant) | undefined> {
  const { rows } = await sql<Pick<MediaRow, 'sha256'> & Variant>`
    select m.sha256, v.width, v.format from media m join media_variants v on v.sha256 = m.sha256
    where m.id = ${id} and v.format = ${wanted?.format ?? 'jpeg'}
      and ${wanted === null ? sql`true` : sql`v.width = ${wanted.width}`} and ${isVisible}
    order by v.width desc limit 1`.execute(db)
  return rows[0]
}

export function pictureRoutes(scope: SignedInScope, { reads, config }: Deps): void {
  const from = { reads, store: storeOf(config) }
  scope.get(
    '/media/:id/:file',
    {
      config: { needs: 'media.read' },
      schema: {
        operationId: 'getMediaVariant',
        summary: 'Read a variant of a picture, or a document, that need not be public',
        params: ByVariant,
        response: { 200: variantResponse, 206: variantResponse },
      },
    },
    async (request, reply) => {
      const { params, caller, session } = request
      const row = await getMedia(reads, params)
      if (!maySee(caller, row, { isBrowser: session !== null }) && !(await supervises(reads, caller, row.id)))
        throw notFound()
      reply.header('cache-control', 'private, no-store')
      if (isDocument(params.file)) {
        const document = (await findDocument(reads, params.id)) ?? raise(notFound())
        return sendDocument(from, request, reply, document) as never
      }
      const { width, format } = variantOf(params.file)
      const content = await readVariant(from, { sha256: row.sha256, width, format })
      return sendPicture(reply, types[format], content) as never
    },
  )
}

/** True for a member of a mairie that wrote or supervises a publication that shows it. */
async function supervises(db: Database, { user }: SignedIn, id: string): Promise<boolean> {
  const acteurIds = user.memberships.map(({ acteurId }) => acteurId)
  if (acteurIds.length === 0) return false
  const { rows } = await sql<{ id: string }>`
    select p.id from media m join publications p on ${showing}
    where m.id = ${id} and p.deleted_at is null limit 20`.execute(db)
  for (const publication of rows)
    if ((await listMairiesConcerned(db, publication.id, acteurIds)).length > 0) return true
  return false
}
