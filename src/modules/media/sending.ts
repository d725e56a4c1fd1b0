import type { SignedIn } from '../../platform/access/caller.ts'
import { create } from '../../platform/change.ts'
import { settingsOf } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import {
  invalid,
  payloadTooLarge,
  raise,
  scopeViolation,
  unsupportedMediaType,
} from '../../platform/errors.ts'
import { lineOrNull } from '../../platform/formats/clean-text.ts'
import { clip } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { acceptUploads, type Upload, uploadLogLevel } from '../../platform/http/uploads.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { type Decoder, decoderOf } from './decoding/decoder.ts'
import { isPdf } from './decoding/format.ts'
import { mediaFull } from './errors.ts'
import { maxDocumentBytes, maxNom, maxPictureBytes } from './limits.ts'
import { requireMaySend } from './permissions.ts'
import { shown } from './present.ts'
import { findActeurToSendFor, insertMedia, type MediaRow, sumBytes } from './queries.ts'
import { media } from './record.ts'
import { uploadScanner } from './scanning/upload.ts'
import { Media, MediaUpload } from './schema.ts'
import { mediaSettings } from './settings.ts'

/** How long a sum of all bytes serves: many uploads at once go a little beyond the limit. */
const totalForMs = 10_000

/**
 * An upload is received to disk, waits for its turn to be decoded, and becomes rows in one transaction. Whatever fails before
 * leaves nothing; a retry with the same `Idempotency-Key` after that gets the same record.
 */
export function sendingRoutes(scope: SignedInScope, { db, reads, config, jobs, log }: Deps): void {
  const { maxTotalBytes } = settingsOf(config, mediaSettings)
  const tools: Tools = {
    db,
    reads,
    decoder: decoderOf({ jobs, log }),
    scanUpload: uploadScanner({ config, log }),
    requireSpace: spaceIn(() => sumBytes(reads), maxTotalBytes),
  }
  acceptUploads(scope)
  scope.post(
    '/media',
    {
      logLevel: uploadLogLevel(log),
      config: {
        audits: 'media.create',
        needs: 'media.manage',
        limit: 'media',
        load: { upload: maxDocumentBytes },
        refusals: ['forbidden', 'media_full'],
        location: '/media/{id}',
      },
      schema: {
        operationId: 'createMedia',
        summary:
          'Send a picture, which is made upright, small and free of all that it says about whoever took it, or a PDF',
        consumes: ['multipart/form-data'],
        body: MediaUpload,
        response: { 201: record(Media) },
      },
    },
    async ({ body, caller, upload }, reply) => {
      if (upload === null) throw unsupportedMediaType()
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      const row = await sendFile(tools, caller, { body, upload, signal: left.signal })
      return reply.code(201).send({ data: shown(row, ['edit', 'delete']) })
    },
  )
}

type Tools = {
  db: Database
  reads: Database
  decoder: Decoder
  requireSpace(): Promise<void>
  scanUpload: ReturnType<typeof uploadScanner>
}
type Sent = { body: MediaUpload; upload: Upload; signal: AbortSignal }

async function sendFile(
  { db, reads, decoder, requireSpace, scanUpload }: Tools,
  caller: SignedIn,
  { body, upload, signal }: Sent,
): Promise<MediaRow> {
  const { acteur_id = null, alt = null, decorative = false, nom = null } = body
  if (decorative && alt !== null) throw invalid('alt', describedDecoration)
  // First without a lock: decoding is expensive, and not for strangers.
  await requireMaySendFor(reads, caller, acteur_id, { isLocked: false })
  await requireSpace()
  const { content, decoded } = await decodeUpload(decoder, upload, signal)
  const isUnscanned = await scanUpload(content)
  const { width, height, variants } = decoded
  const document = decoded.document ? { ...decoded.document, content } : null
  const wanted = {
    action: 'media.create',
    authorise: (tx: Database) => requireMaySendFor(tx, caller, acteur_id, { isLocked: true }),
  }
  const given = { alt: alt?.trim() ?? null, decorative, nom: nom?.trim() ?? null }
  const described = document === null ? given : { ...given, nom: given.nom ?? nameOf(body.file) }
  if (document !== null) requireDocumentValues(described)
  const made = {
    ...{ id: uuidv7(), kind: document === null ? ('image' as const) : ('document' as const) },
    ...{ acteur_id, created_by: caller.user.id, ...described, width, height },
    isUnscanned,
  }
  return create(db, caller, media, wanted, (tx) => insertMedia(tx, made, variants, document))
}

/** Decodes an upload when it is its turn, which is when its bytes come into memory. */
async function decodeUpload(decoder: Decoder, upload: Upload, signal: AbortSignal) {
  let content: Buffer = Buffer.alloc(0)
  const decoded = await decoder.decode(async () => {
    content = await upload.read()
    if (content.length > maxPictureBytes && !isPdf(content)) throw payloadTooLarge()
    return content
  }, signal)
  return { content, decoded }
}

/** Returns the name of a document that was sent without one: that of its file. */
const nameOf = (file: string): string =>
  lineOrNull(
    clip(
      file
        .replace(/^.*[/\\]/, '')
        .replace(/\.pdf$/i, '')
        .replaceAll('_', ' '),
      maxNom,
    ),
  ) ?? 'Document'

/** Requires a name, and no description: the text of a document says what it shows. */
export function requireDocumentValues({
  alt,
  decorative,
  nom,
}: Record<'alt' | 'nom', string | null> & { decorative: boolean }) {
  if (nom === null)
    throw invalid('nom', { en: 'is required for a document', fr: 'est obligatoire pour un document' })
  if (alt !== null || decorative)
    throw invalid(alt === null ? 'decorative' : 'alt', {
      en: 'is for pictures only',
      fr: 'n’existe que pour les images',
    })
}

async function requireMaySendFor(
  db: Database,
  caller: SignedIn,
  acteurId: string | null,
  lock: { isLocked: boolean },
): Promise<void> {
  if (acteurId === null) return requireMaySend(caller, null)
  const acteur = (await findActeurToSendFor(db, acteurId, lock)) ?? raise(invalid('acteur_id', unknownActeur))
  requireMaySend(caller, acteur.id)
  if (!acteur.active || !acteur.valide) throw scopeViolation()
}

/** Refuses when the bytes of all files together have reached the limit. `sum` adds them up. */
export function spaceIn(sum: () => Promise<number>, maxTotalBytes: number) {
  let total = { bytes: 0, at: Number.NEGATIVE_INFINITY }
  return async () => {
    if (maxTotalBytes === Number.POSITIVE_INFINITY) return
    if (performance.now() - total.at > totalForMs) total = { bytes: await sum(), at: performance.now() }
    if (total.bytes >= maxTotalBytes) throw mediaFull()
  }
}

const unknownActeur = { en: 'must be an existing acteur', fr: 'doit être un acteur existant' }
export const describedDecoration = {
  en: 'goes with a picture that is not decorative',
  fr: 'va avec une image qui n’est pas décorative',
}
