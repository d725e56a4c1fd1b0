import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { isAdmin, type SignedIn } from '../../../platform/access/caller.ts'
import { change, create } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalid } from '../../../platform/errors.ts'
import { slugify } from '../../../platform/text.ts'
import { uuidv7 } from '../../../platform/uuid.ts'
import { getManagedPublication, insertPublication, readNow, type StoredPublication } from '../queries.ts'
import { publication } from '../record.ts'
import type { ManagedPublication } from '../schema.ts'
import { type Attachment, attach } from './attachment.ts'
import { requireMayCreate, requireMayDelete, requireMayEdit } from './authorise.ts'
import { cleanContent, completeContent, contentOf } from './content.ts'
import { duplicateKey } from './duplicates.ts'
import { type ActeurRow, findActeur, findActeurForShare } from './queries.ts'
import type { PublicationCreate, PublicationUpdate } from './schema.ts'

/** Writes a publication in the name of an acteur, as one of its members or as an administrator. */
export const createPublication = (
  db: Database,
  caller: SignedIn,
  acteurId: string,
  body: PublicationCreate,
) => createAs(db, caller, acteurId, body, { asAdmin: isAdmin(caller.user) })

/** The same for the mairie of the path: it is the one that writes, whoever calls. */
export const createForMairie = (db: Database, caller: SignedIn, mairieId: string, body: PublicationCreate) =>
  createAs(db, caller, mairieId, body, { asAdmin: false })

function createAs(
  db: Database,
  caller: SignedIn,
  acteurId: string,
  { publie_le, ...body }: PublicationCreate,
  { asAdmin }: { asAdmin: boolean },
): Promise<ManagedPublication> {
  // Before a connection is held: cleaning takes a while.
  const content = completeContent(cleanContent(body))
  const wanted = { action: 'publication.create', read: getManagedPublication }
  return create(db, caller, publication, wanted, async (tx) => {
    const acteur = await findActeurForShare(tx, acteurId)
    if (acteur === undefined) throw invalid('acteur_id', unknownActeur)
    requireMayCreate(caller, acteur)
    const attachment = await attach(tx, caller, { acteur, asAdmin }, body)
    const time = typeof publie_le === 'string' ? new Date(publie_le) : null
    const state = await firstState(tx, time, { mayPublish: acteur.can_publish, maySchedule: asAdmin })
    return insertPublication(tx, {
      id: uuidv7(),
      slug: slugOf(content.title),
      ...content,
      ...attachment,
      acteur_id: acteur.id,
      duplicate_key: duplicateKey({ ...content, acteur_id: acteur.id }),
      ...state,
      created_by: caller.user.id,
    })
  })
}

/**
 * Changes what is given. Content changed in the name of an acteur that may not publish, or of what was refused, is read
 * again before it shows, unless an administrator changed it.
 */
export function editPublication(
  db: Database,
  caller: SignedIn,
  id: string,
  body: PublicationUpdate,
): Promise<ManagedPublication> {
  const given = cleanContent(body)
  const wanted = {
    id,
    action: 'publication.update',
    authorise: (tx: Database, before: StoredPublication) => requireMayEdit(tx, caller, before, body),
    read: getManagedPublication,
  }
  return change(db, caller, publication, wanted, async (tx, before) => {
    const { epingle = before.epingle } = body
    const content = completeContent({ ...contentOf(before), ...given })
    const acteur = before.acteur_id === null ? null : ((await findActeur(tx, before.acteur_id)) ?? null)
    const attachment = await attachAgain(tx, caller, acteur, before, body)
    const isEdited = !isDeepStrictEqual({ ...before, ...content, ...attachment }, before)
    if (!isEdited) return { epingle }
    const duplicate_key = duplicateKey({ ...content, acteur_id: before.acteur_id })
    const edited = { epingle, ...content, ...attachment, duplicate_key }
    return isAdmin(caller.user) || maySkipReading(acteur, before)
      ? edited
      : { ...edited, ...sentBack(before) }
  })
}

export function deletePublication(db: Database, caller: SignedIn, id: string): Promise<ManagedPublication> {
  const wanted = {
    id,
    action: 'publication.delete',
    authorise: (tx: Database, before: StoredPublication) => requireMayDelete(tx, caller, before),
    read: getManagedPublication,
  }
  return change(db, caller, publication, wanted, async (tx) => ({ deleted_at: await readNow(tx) }))
}

/** Its communes as they are, unless the request speaks of them. */
async function attachAgain(
  tx: Database,
  caller: SignedIn,
  acteur: ActeurRow | null,
  { commune_id, commune_ids }: StoredPublication,
  body: PublicationUpdate,
): Promise<Attachment> {
  const current = { commune_id, commune_ids }
  if (body.commune_id === undefined && body.commune_ids === undefined) return current
  return attach(tx, caller, { acteur, asAdmin: isAdmin(caller.user) }, body, current)
}

/** Shown at once if the acteur may publish, or when it is due; else to be read first. */
async function firstState(
  tx: Database,
  due: Date | null,
  { mayPublish, maySchedule }: { mayPublish: boolean; maySchedule: boolean },
) {
  if (due !== null) {
    if (!mayPublish && !maySchedule) throw invalid('publie_le', notTheirs)
    if (!(due > (await readNow(tx)))) throw invalid('publie_le', notToCome)
    return { moderation_status: 'approved', valide: true, publie_le: due }
  }
  if (!mayPublish) return { moderation_status: 'pending', valide: false, publie_le: null }
  // Stored in milliseconds: never rounded to a moment still to come.
  const now = sql<Date>`date_trunc('milliseconds', now())`
  return { moderation_status: 'published', valide: true, publie_le: now }
}

/** What was refused is read again, whoever corrects it. */
const maySkipReading = (acteur: ActeurRow | null, { moderation_status }: StoredPublication): boolean =>
  moderation_status !== 'rejected' && acteur?.can_publish === true && acteur.valide && acteur.active

/** To be read again. A reason belongs to its status. */
const sentBack = ({ moderation_status, moderation_reason }: StoredPublication) => ({
  moderation_status: 'pending' as const,
  valide: false,
  moderation_reason: moderation_status === 'pending' ? moderation_reason : null,
})

export const slugOf = (title: string) => slugify(title).slice(0, 100).replace(/-$/, '') || 'publication'

const notTheirs = {
  en: 'is for an acteur that may publish, or an administrator',
  fr: 'est réservé à un acteur qui peut publier, ou à un administrateur',
}
const notToCome = { en: 'must be a time to come', fr: 'doit être un moment à venir' }
const unknownActeur = { en: 'must be an acteur', fr: 'doit être un acteur' }
