import type { Caller } from '../../platform/access/caller.ts'
import { append, change } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, type Problem, validationFailed } from '../../platform/errors.ts'
import { appendSeal, lockChain, recordOf } from './chain.ts'
import { requireDraft, requireFreeNumber, requireOf, requirePast } from './drafts.ts'
import { actExists, actInForce, cannotSupersede, notPublished } from './errors.ts'
import {
  type ActRow,
  deleteFile,
  findByFile,
  getActForUpdate,
  getPublisher,
  getTypedText,
  type Publisher,
  updateAct,
} from './queries.ts'
import { act } from './record.ts'
import { isInForce } from './states.ts'

type Which = { acteurId: string; id: string }

/**
 * Publishes a draft: its record becomes the next link of the chain, and the act that it corrects is superseded. All of it is one
 * transaction, so that nothing is on line without its seal.
 */
export function publishAct(
  { db, clock, at = null }: { db: Database; clock(): Date; at?: Date | null },
  caller: Caller,
  { acteurId, id }: Which,
): Promise<ActRow> {
  const asked = { id, action: 'act.publish', authorise: requireOf(acteurId) }
  return change(db, caller, act, asked, async (tx, draft, save) => {
    requireDraft(draft)
    requireAuthor(draft)
    const publisher = await getPublisher(tx, acteurId)
    // The commune chose another mairie meanwhile, or the group another acteur.
    if (communesOf(publisher).length === 0) throw conflict()
    await lockChain(tx)
    requirePast(draft.date, clock())
    await supersede(tx, caller, draft)
    await requireUnique(tx, draft, publisher)
    const { published, seal } = await sealDraft(tx, { draft, publisher, at })
    return save(published, { after: { seal } })
  })
}

/** `at`: of content with a past. */
type Sealed = { draft: ActRow; publisher: Publisher; at: Date | null }

/** Appends a draft to the chain; returns the values that publish it. */
export async function sealDraft(tx: Database, { draft, publisher, at }: Sealed) {
  const typedText = draft.typed_text ? await getTypedText(tx, draft.id) : null
  const record = recordOf(draft, { ...publisher, typedText })
  const sealed = await appendSeal(tx, { actId: draft.id, record, at })
  const published = {
    ...{ state: 'published' as const, published_at: sealed.at, published_by: publisher.id },
    commune_ids: communesOf(publisher),
  }
  return { published, seal: sealed.seal.toString('hex') }
}

/** The communes on whose lists an act stands. */
const communesOf = ({ communes, members }: Publisher): string[] => [
  ...new Set([...communes.map(({ id }) => id), ...members]),
]

/** The law wants the first name, the name and the quality of the author on line. */
function requireAuthor(draft: ActRow): void {
  const fields = ['author_first_name', 'author_name', 'author_quality'] as const
  const problems = fields.flatMap((field): Problem[] =>
    draft[field] === null ? [{ field, message: required }] : [],
  )
  if (problems.length > 0) throw validationFailed(problems)
}

const required = {
  en: 'is required before publication',
  fr: 'est obligatoire avant la publication',
}

async function requireUnique(tx: Database, draft: ActRow, { id }: Publisher): Promise<void> {
  await requireFreeNumber(tx, { ...draft, acteur_id: id })
  const other = await findByFile(tx, id, draft.sha256)
  if (other !== undefined) throw actExists('file', other)
}

/** Ends the force of the act that a draft corrects. */
async function supersede(tx: Database, caller: Caller, draft: ActRow): Promise<void> {
  if (draft.supersedes === null) return
  const { id, acteur_id, state } = await getActForUpdate(tx, draft.supersedes)
  if (state !== 'published' || acteur_id !== draft.acteur_id) throw cannotSupersede()
  await updateAct(tx, id, { state: 'superseded', superseded_by: draft.id })
  await append(tx, caller, {
    ...{ action: 'act.supersede', kind: act, entityId: id },
    ...{ before: { state }, after: { state: 'superseded' } },
  })
}

/** Takes an act off the lists, once it has been on line for as long as the law wants. Its address and its proof stay. */
export function archiveAct(
  db: Database,
  caller: Caller,
  { acteurId, id }: Which,
  now: Date,
): Promise<ActRow> {
  const asked = { id, action: 'act.archive', authorise: requireOf(acteurId) }
  return change(db, caller, act, asked, async (_tx, before, save) => {
    if (before.state !== 'published') throw notPublished()
    if (isInForce(before, now)) throw actInForce()
    return save({ state: 'archived', archived_at: now })
  })
}

/** Removes the file of an act, because a court or the CNIL demands it. The entry, the digest and the reason stay. */
export function occultAct(
  db: Database,
  caller: Caller,
  { acteurId, id }: Which,
  { reason, now }: { reason: string; now: Date },
): Promise<ActRow> {
  const asked = { id, action: 'act.occult', authorise: requireOf(acteurId) }
  return change(db, caller, act, asked, async (tx, before, save) => {
    if (before.state === 'draft' || before.state === 'occulted') throw notPublished()
    const row = await save({ state: 'occulted', occulted_at: now, occulted_reason: reason })
    await deleteFile(tx, id)
    return row
  })
}
