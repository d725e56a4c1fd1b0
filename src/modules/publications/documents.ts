import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { sendPdf } from '../../platform/http/send-pdf.ts'
import { type MediaBytes, readVariant } from '../media/store/reading.ts'

/** A stored document, as its address needs it. */
export type StoredDocument = { id: string; sha256: string; nom: string; slug: string; bytes: number }

/** Returns a document if a record shows it that meets the condition, over `media m`. */
export async function findDocument(
  db: Database,
  id: string,
  isShown = sql<boolean>`true`,
): Promise<StoredDocument | undefined> {
  const { rows } = await sql<StoredDocument>`
    select m.id, m.sha256, m.nom, d.slug, d.bytes from media m join media_documents d on d.media_id = m.id
    where m.id = ${id} and ${isShown}`.execute(db)
  return rows[0]
}

/** Sends a document, or the part of it that the request asks for. */
export const sendDocument = (
  from: MediaBytes,
  request: Pick<FastifyRequest, 'headers' | 'method'>,
  reply: FastifyReply,
  document: StoredDocument,
) =>
  sendPdf(request, reply, {
    ...document,
    read: (part) => readVariant(from, { sha256: document.sha256, width: 0, format: 'pdf' }, part),
  })
