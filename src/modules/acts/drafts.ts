import type { SignedIn } from '../../platform/access/caller.ts'
import { change, create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { invalid, notFound, type Problem, unavailable, validationFailed } from '../../platform/errors.ts'
import { cleanText, lineOrNull, textProblems } from '../../platform/formats/clean-text.ts'
import { isVisible } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Upload } from '../../platform/http/uploads.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import type { Decoder } from '../media/decoding/decoder.ts'
import { isPdf } from '../media/decoding/format.ts'
import type { uploadScanner } from '../media/scanning/upload.ts'
import { sha256 } from './chain.ts'
import { actExists, actInForce, notDraft, staysFor } from './errors.ts'
import {
  type ActFile,
  type ActRow,
  deleteDraft,
  findByFile,
  findByNumber,
  getAct,
  insertDraft,
  updateText,
  updateWords,
} from './queries.ts'
import { act, deletedDraft } from './record.ts'
import { type ActUpdate, type ActUpload, maxima, maxText } from './schema.ts'
import { isInForce } from './states.ts'

/**
 * A draft is what a secretary prepares: nobody else sees it, and everything of it may change but its file, which comes with
 * it. Who wants another file deletes the draft.
 */

type Tools = {
  db: Database
  decoder: Decoder
  scanUpload: ReturnType<typeof uploadScanner>
  requireSpace(): Promise<void>
  clock(): Date
}
type Sent = { acteurId: string; body: ActUpload; upload: Upload; signal: AbortSignal }

/** Creates a draft from an uploaded PDF, which is stored byte for byte. */
export async function createDraft(
  { db, decoder, scanUpload, requireSpace, clock }: Tools,
  caller: SignedIn,
  { acteurId, body: { file: _file, ...body }, upload, signal }: Sent,
): Promise<ActRow> {
  const given = cleaned(body)
  requirePast(given.date, clock())
  await requireSpace()
  const { pages, ...file } = await readPdf(decoder, upload, signal)
  // Refuses a file without a verdict: once published, an act cannot be taken back.
  if (await scanUpload(file.content)) throw unavailable('the antivirus of CLAMAV_URL gave no verdict', 60)
  return create(db, caller, act, { action: 'act.create' }, async (tx) => {
    const digest = sha256(file.content).toString('hex')
    const other = await findByFile(tx, acteurId, digest)
    if (other !== undefined) throw actExists('file', other)
    const values = {
      ...{ number: null, author_first_name: null, author_name: null, author_quality: null, subject: null },
      ...{ individual: false, supersedes: null },
      ...given,
      ...{ id: uuidv7(), acteur_id: acteurId, sha256: digest, pages },
    }
    await requireCorrected(tx, values)
    await requireFreeNumber(tx, values)
    return insertDraft(tx, values, file)
  })
}

/** Decodes an upload when it is its turn. Its bytes stay as they came: they may carry a signature. */
async function readPdf(
  decoder: Decoder,
  upload: Upload,
  signal: AbortSignal,
): Promise<ActFile & { pages: number }> {
  let content: Buffer = Buffer.alloc(0)
  const { document } = await decoder.decode(async () => {
    content = await upload.read()
    if (!isPdf(content)) throw invalid('file', messages.noPdf)
    return content
  }, signal)
  if (document === undefined) throw invalid('file', messages.noPdf)
  return { content, text: document.text, pages: document.pages }
}

export function updateDraft(
  db: Database,
  caller: SignedIn,
  { acteurId, id }: { acteurId: string; id: string },
  body: ActUpdate,
  now: Date,
): Promise<ActRow> {
  const { text: typed, ...fields } = body
  const text = typed === undefined || typed === null ? typed : typedTextOf(typed)
  const values = { ...cleaned(fields), ...(text !== undefined && { typed_text: text !== null }) }
  const asked = { id, action: 'act.update', authorise: requireOf(acteurId) }
  return change(db, caller, act, asked, async (tx, before, save) => {
    if (before.state !== 'draft') throw actInForce()
    const after = { ...before, ...values }
    requirePast(after.date, now)
    if (after.typed_text && before.has_text) throw invalid('text', messages.hasText)
    if (after.supersedes !== before.supersedes) await requireCorrected(tx, after)
    if (after.number !== before.number) await requireFreeNumber(tx, after)
    const saved = await save(values)
    if (text !== undefined && !before.has_text) await updateText(tx, after, text ?? '')
    else if (after.title !== before.title || after.number !== before.number) await updateWords(tx, after)
    return saved
  })
}

/** Deletes a draft. Refuses what was published: for good, and in the words of the law while it must be on line. */
export function deleteAct(
  db: Database,
  caller: SignedIn,
  { acteurId, id }: { acteurId: string; id: string },
  now: Date,
): Promise<ActRow> {
  const asked = { id, action: 'act.delete', authorise: requireOf(acteurId) }
  return change(db, caller, deletedDraft, asked, async (tx, before, save) => {
    if (before.state !== 'draft') throw isInForce(before, now) ? actInForce() : staysFor()
    await deleteDraft(tx, id)
    return save({ isDeleted: true as const })
  })
}

/** Refuses an act of another mairie as if it did not exist. */
export const requireOf = (acteurId: string) => (_tx: Database, row: ActRow) => {
  if (row.acteur_id !== acteurId) throw notFound()
}

export const requireDraft = ({ state }: ActRow): void => {
  if (state !== 'draft') throw notDraft()
}

/** Refuses a date that has not come in Paris. */
export function requirePast(date: string, now: Date): void {
  if (date > todayInParis(now)) throw invalid('date', messages.future)
}

/** Requires that the act to correct is a published one of the same mairie. */
async function requireCorrected(
  tx: Database,
  { id, acteur_id, supersedes }: Pick<ActRow, 'id' | 'acteur_id' | 'supersedes'>,
): Promise<void> {
  if (supersedes === null) return
  const corrected = supersedes === id ? null : await getAct(tx, supersedes).catch(() => null)
  if (corrected?.acteur_id !== acteur_id || corrected.state !== 'published')
    throw invalid('supersedes', messages.notCorrectable)
}

/** Refuses a number that a published act has, unless this one corrects that. */
export async function requireFreeNumber(
  tx: Database,
  { acteur_id, number, supersedes }: Pick<ActRow, 'acteur_id' | 'number' | 'supersedes'>,
): Promise<void> {
  if (number === null) return
  const other = await findByNumber(tx, acteur_id, number, supersedes)
  if (other !== undefined) throw actExists('number', other)
}

/** Returns a typed text without control characters; null if nothing of it is visible. */
function typedTextOf(given: string): string | null {
  const text = cleanText(given)
  if (!isVisible(text)) return null
  const problems = textProblems('text', text, maxText)
  if (problems.length > 0) throw validationFailed(problems)
  return text
}

/** Cleans the lines of a body: without control characters, and null where nothing of them is visible. */
function cleaned<Body extends ActUpdate>(body: Body): Body {
  const problems: Problem[] = []
  const lines = Object.entries(maxima).flatMap(([field, max]) => {
    const given = body[field as keyof typeof maxima]
    if (given === undefined) return []
    const line = lineOrNull(given)
    if (line !== null || field === 'title') problems.push(...textProblems(field, line ?? '', max))
    return [[field, line]]
  })
  if (problems.length > 0) throw validationFailed(problems)
  return { ...body, ...Object.fromEntries(lines) }
}

const messages = {
  noPdf: {
    en: 'must be a PDF: print the act as a PDF, or scan it to one',
    fr: 'doit être un PDF : imprimez l’acte en PDF, ou numérisez-le en PDF',
  },
  hasText: {
    en: 'must be left out: the PDF has a text of its own',
    fr: 'doit être omis : le PDF a son propre texte',
  },
  future: { en: 'must not be in the future', fr: 'ne doit pas être dans le futur' },
  notCorrectable: {
    en: 'must be an act of this mairie that is published and in force',
    fr: 'doit être un acte de cette mairie, publié et en vigueur',
  },
}
