import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { Deps } from '../../platform/module.ts'
import type { Format, Width } from './decoding/decoded.ts'
import { requireMayManage } from './permissions.ts'
import { getMedia, getVariant } from './queries.ts'
import { ByVariant } from './schema.ts'

const types: Record<Format, string> = { avif: 'image/avif', webp: 'image/webp', jpeg: 'image/jpeg' }

const Bytes = Type.Unsafe<Buffer>(
  Type.String({
    title: 'PictureBytes',
    contentEncoding: 'binary',
    description: 'The picture',
    examples: ['…'],
  }),
)

/** Documents the formats of a variant. */
export const variantResponse = {
  description: 'The picture',
  content: Object.fromEntries(Object.values(types).map((type) => [type, { schema: Bytes }])),
}

/** Reads the name of a variant such as `800.jpg`, as its schema accepts it. */
export function variantOf(file: string): { width: Width; format: Format } {
  const [width, extension] = file.split('.')
  return { width: Number(width) as Width, format: extension === 'jpg' ? 'jpeg' : (extension as Format) }
}

/** Sends a variant. It is shown and nothing else: no page may run in it. */
export const sendVariant = (reply: FastifyReply, format: Format, content: Buffer) =>
  reply
    .type(types[format])
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    .send(content)

/** The bytes for those who manage them, whether or not the public sees them. */
export function readingRoutes(scope: SignedInScope, { reads }: Deps): void {
  scope.get(
    '/media/:id/:file',
    {
      config: { needs: 'media.manage', refusals: ['forbidden'] },
      schema: {
        operationId: 'getMediaVariant',
        summary: 'Read a variant of a picture that need not be public',
        params: ByVariant,
        response: { 200: variantResponse },
      },
    },
    async ({ params, caller }, reply) => {
      const row = await getMedia(reads, params)
      requireMayManage(caller, row)
      const { width, format } = variantOf(params.file)
      const content = await getVariant(reads, row.sha256, width, format)
      return sendVariant(reply.header('cache-control', 'private, no-store'), format, content) as never
    },
  )
}
