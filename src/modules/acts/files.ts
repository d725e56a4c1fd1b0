import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { slugify } from '../../platform/formats/text.ts'
import { sendPdf } from '../../platform/http/send-pdf.ts'
import { type ActRow, getPartOfFile } from './queries.ts'

type Filed = Pick<ActRow, 'id' | 'title' | 'number' | 'sha256' | 'bytes'>

/** The last part of the address of an act, from its title. */
export const slugOf = ({ title }: Pick<ActRow, 'title'>): string =>
  slugify(title).slice(0, 80).replace(/-$/, '') || 'acte'

/** Sends the file of an act, or the part of it that the request asks for. */
export const sendFile = (
  db: Database,
  request: Pick<FastifyRequest, 'headers' | 'method'>,
  reply: FastifyReply,
  { id, title, number, sha256, bytes }: Filed,
) =>
  sendPdf(request, reply, {
    ...{ sha256, bytes, slug: slugOf({ title }) },
    nom: [number, title].filter((part) => part !== null).join(' '),
    read: (part) => getPartOfFile(db, id, part),
  })

const Bytes = Type.Unsafe<Buffer>(
  Type.String({
    title: 'ActBytes',
    contentEncoding: 'binary',
    description: 'The act, a PDF',
    examples: ['…'],
  }),
)

/** Documents the response of a route that sends a file. */
export const pdfResponse = {
  description: 'The act, or the part of it that was asked for',
  content: { 'application/pdf': { schema: Bytes } },
}
