import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import type { Format, Width } from './decoding/decoded.ts'

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
