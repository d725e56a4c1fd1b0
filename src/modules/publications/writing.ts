import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { isAdmin, type Permission, type SignedIn } from '../../platform/access/caller.ts'
import { rightOver } from '../../platform/access/rights.ts'
import { recordAudit } from '../../platform/audit/record.ts'
import type { Database } from '../../platform/database/connect.ts'
import { forbidden, invalid, scopeViolation } from '../../platform/errors.ts'
import { slugify } from '../../platform/text.ts'
import { uuidv7 } from '../../platform/uuid.ts'
import { type Attachment, attach } from './attachment.ts'
import { publicationKind } from './audited.ts'
import { type Content, cleanContent, wholeContent } from './content.ts'
import { duplicateKey } from './duplicates.ts'
import * as queries from './queries.writing.ts'
import { holdForChange } from './reach.ts'
import type { PublicationCreate, PublicationUpdate } from './schema.writing.ts'

/** Writes a publication in the name of an acteur: shown at once if the acteur may publish, else to be read first. */
export function createPublication(
  db: Database,
  caller: SignedIn,
  body: PublicationCreate & { acteur_id: string },
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const acteur = await queries.findActeurHeld(tx, body.acteur_id)
    if (acteur === undefined) throw invalid('acteur_id', unknownActeur)
    const right = rightOver(caller.user, acteur.id, ['manage_publications'])
    if (right === 'foreign' || !acteur.active || !acteur.valide) throw scopeViolation()
    if (right === 'lacking') throw forbidden()
    const { commune_id, commune_ids } = body
    const asked = { ...(commune_id !== undefined && { commune_id }), ...(commune_ids && { commune_ids }) }
    const attachment = await attach(tx, caller, acteur, asked)
    const content = wholeContent(cleanContent(body))
    const id = uuidv7()
    const values = {
      ...content,
      acteur_id: acteur.id,
      commune_id: attachment.commune_id,
      moderation_status: acteur.can_publish ? 'published' : 'pending',
      valide: acteur.can_publish,
    }
    await queries.insertPublication(
      tx,
      {
        id,
        slug: slugOf(content.title),
        ...values,
        duplicate_key: duplicateKey(values),
        created_by: caller.user.id,
        // Stored in milliseconds: never rounded to a moment still to come.
        publie_le: acteur.can_publish ? sql<Date>`date_trunc('milliseconds', now())` : null,
      },
      attachment.commune_ids,
    )
    const after = audited({ ...values, epingle: false, commune_ids: attachment.commune_ids })
    const change = { kind: publicationKind, entityId: id, before: null, after } as const
    await recordAudit(tx, caller, { action: 'publication.create', ...change })
    return id
  })
}

/**
 * Changes what is given. Content changed in the name of an acteur that may not publish is read again before it shows,
 * unless an administrator changed it.
 */
export function editPublication(
  db: Database,
  caller: SignedIn,
  id: string,
  body: PublicationUpdate,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const before = await holdForChange(tx, caller, id, needsOf(body))
    const given = cleanContent(body)
    const content = wholeContent({ ...contentOf(before), ...given })
    const attachment = await attachAgain(tx, caller, before, body)
    const epingle = body.epingle ?? before.epingle
    const edited = differs(contentOf(before), content) || attachment !== null
    if (!edited && epingle === before.epingle) return
    const again = edited && !before.trusted && !isAdmin(caller.user)
    const values = {
      ...content,
      ...(attachment !== null && { commune_id: attachment.commune_id }),
      epingle,
      ...(again && { moderation_status: 'pending', valide: false }),
      // A reason belongs to its status.
      ...(again && before.moderation_status !== 'pending' && { moderation_reason: null }),
    }
    if (attachment !== null) await queries.replaceCommunes(tx, id, attachment.commune_ids)
    const duplicate_key = duplicateKey({ ...content, acteur_id: before.acteur_id })
    await queries.updatePublication(tx, id, { ...values, duplicate_key })
    await recordAudit(tx, caller, {
      action: 'publication.update',
      kind: publicationKind,
      entityId: before.id,
      before: audited(before),
      after: audited({ ...before, ...values, ...attachment }),
    })
  })
}

export function deletePublication(db: Database, caller: SignedIn, id: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const held = await holdForChange(tx, caller, id, ['manage_publications'])
    const before = { deleted_at: held.deleted_at }
    const after = await queries.updatePublication(tx, id, { deleted_at: sql<Date>`now()` })
    const change = { kind: publicationKind, entityId: held.id, before, after } as const
    await recordAudit(tx, caller, { action: 'publication.delete', ...change })
  })
}

/** Each field by its presence, changed or not: what a request needs can be told from the request. */
function needsOf({ epingle, ...content }: PublicationUpdate): Permission[] {
  return [
    ...(Object.keys(content).length > 0 ? ['manage_publications' as const] : []),
    ...(epingle === undefined ? [] : ['publish_publications' as const]),
  ]
}

/** Null when its communes stay. */
async function attachAgain(
  tx: Database,
  caller: SignedIn,
  before: queries.HeldPublication,
  { commune_id, commune_ids }: PublicationUpdate,
): Promise<Attachment | null> {
  if (commune_id === undefined && commune_ids === undefined) return null
  const acteur = before.acteur_id === null ? null : await queries.findActeur(tx, before.acteur_id)
  const asked = { ...(commune_id !== undefined && { commune_id }), ...(commune_ids && { commune_ids }) }
  const attachment = await attach(tx, caller, acteur, asked, before)
  return attachment === before ? null : attachment
}

function contentOf({ title, body, type_id, date_debut, date_fin, source_url, image_url }: Content): Content {
  return { title, body, type_id, date_debut, date_fin, source_url, image_url }
}

const differs = (one: Content, other: Content) => JSON.stringify(one) !== JSON.stringify(other)

type Audited = Content &
  Attachment & {
    acteur_id: string | null
    epingle: boolean
    moderation_status: string
    moderation_reason?: string | null
    valide: boolean
  }

/** What the trail keeps of a publication: of its body only that it is another, and how long. */
function audited(publication: Audited) {
  const { acteur_id, commune_id, commune_ids, epingle } = publication
  const { moderation_status, moderation_reason, valide } = publication
  const { body, ...content } = contentOf(publication)
  const digest = `${[...body].length} characters, ${hash('sha256', body, 'hex').slice(0, 12)}`
  const state = { epingle, moderation_status, moderation_reason, valide }
  return { ...content, body: digest, acteur_id, commune_id, commune_ids, ...state }
}

const slugOf = (title: string) => slugify(title).slice(0, 100).replace(/-$/, '') || 'publication'

const unknownActeur = { en: 'must be an acteur', fr: 'doit être un acteur' }
