import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { isAdmin, type SignedIn } from '../../../platform/access/caller.ts'
import { isMember } from '../../../platform/access/rules.ts'
import { change, create } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalid, type Problem, validationFailed } from '../../../platform/errors.ts'
import { slugify } from '../../../platform/formats/text.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { endEdited, findGiven } from '../../grounds/statements.ts'
import { requireDescribed, requireDocuments, requireImages } from '../../media/images.ts'
import { withFetchedImage } from '../fetched-images/with-fetched-image.ts'
import { recordVersions } from '../history.ts'
import { decide, type Tools } from '../moderation/rules.ts'
import type { Deletion } from '../moderation/schema.ts'
import { getManagedPublication, insertPublication, readNow, type StoredPublication } from '../queries.ts'
import { publication } from '../record.ts'
import type { Content, ManagedPublication } from '../schema.ts'
import { restrictionOf } from '../visibility.ts'
import {
  requireMayAttach,
  requireMayCreate,
  requireMayDelete,
  requireMayEdit,
  requireMayRestore,
} from './authorise.ts'
import { cleanContent, completeContent, contentOf, withoutStaleHours } from './content.ts'
import { duplicateKey } from './duplicates.ts'
import {
  type ActeurRow,
  findActeur,
  findActeurForShare,
  listCommunesForShare,
  listMembersOf,
} from './queries.ts'
import type { PublicationCreate, PublicationUpdate } from './schema.ts'

/** Creates a publication for an acteur, by a member or an administrator. */
export const createPublication = (
  db: Database,
  caller: SignedIn,
  acteurId: string,
  body: PublicationCreate,
) => createAs(db, caller, acteurId, body, { asAdmin: isAdmin(caller.user) })

/** Creates a publication for the mairie of the path; administrators have the same limits as members. */
export const createForMairie = (db: Database, caller: SignedIn, mairieId: string, body: PublicationCreate) =>
  createAs(db, caller, mairieId, body, { asAdmin: false })

function createAs(
  db: Database,
  caller: SignedIn,
  acteurId: string,
  { publie_le, for_review = false, ...body }: PublicationCreate,
  { asAdmin }: { asAdmin: boolean },
): Promise<ManagedPublication> {
  // Cleans before a connection is checked out, because cleaning takes a while.
  const content = completeContent(cleanContent(body))
  const wanted = {
    action: 'publication.create',
    read: getManagedPublication,
    authorise: async (tx: Database) => {
      const acteur = await findActeurForShare(tx, acteurId)
      if (acteur === undefined) throw invalid('acteur_id', unknownActeur)
      requireMayCreate(caller, acteur)
      return { acteur, attachment: await attach(tx, caller, { acteur, asAdmin }, body) }
    },
  }
  return create(db, caller, publication, wanted, async (tx, { acteur, attachment }) => {
    const time = typeof publie_le === 'string' ? new Date(publie_le) : null
    const mayPublish = acteur.can_publish && !for_review
    const state = await firstState(tx, time, { mayPublish, maySchedule: asAdmin && !for_review })
    await requireMedia(tx, caller, acteur.id, { after: content })
    if (state.valide) await requireDescribed(tx, content.images)
    const id = uuidv7()
    return insertPublication(tx, {
      id,
      slug: slugOf(content.title, id),
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
 * Edits the given fields. Content of an acteur that may not publish, or of a rejected publication, returns to
 * pending, unless an administrator edits.
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
  }
  return change(db, caller, publication, wanted, async (tx, before, save) => {
    const answer = async (values: Partial<StoredPublication>) => getManagedPublication(tx, await save(values))
    const { epingle = before.epingle } = body
    const written = completeContent(withoutStaleHours({ ...contentOf(before), ...given }, given))
    const { fetched_image, ...content } = withFetchedImage(before, written)
    const acteur = before.acteur_id === null ? null : ((await findActeur(tx, before.acteur_id)) ?? null)
    const attachment = await attachAgain(tx, caller, acteur, before, body)
    const isEdited = !isDeepStrictEqual({ ...before, ...content, ...attachment }, before)
    if (!isEdited) return answer({ epingle })
    const { images } = content
    await requireMedia(tx, caller, before.acteur_id, { after: content, before })
    await recordVersions(tx, [{ id, before, after: content }], { userId: caller.user.id, how: 'edited' })
    const duplicate_key = duplicateKey({ ...content, acteur_id: before.acteur_id })
    const edited = { epingle, ...content, fetched_image, ...attachment, duplicate_key }
    if (!isAdmin(caller.user) && !maySkipReading(acteur, before)) {
      await endEdited(tx, id)
      return answer({ ...edited, ...sentBack(before) })
    }
    if (before.valide && !isDeepStrictEqual(images, before.images)) await requireDescribed(tx, images)
    return answer(edited)
  })
}

/**
 * Deletes a publication. Members withdraw it; an administrator who is no member of its acteur decides, as in the
 * back-office, with a ground and a reason.
 */
export async function deletePublication(
  tools: Tools,
  caller: SignedIn,
  id: string,
  { ground, reason }: Deletion,
): Promise<ManagedPublication> {
  const authorise = (tx: Database, before: StoredPublication) => requireMayDelete(tx, caller, before)
  if (await actsForTeam(tools.db, caller, id))
    return decide(tools, caller, id, { do: 'delete' }, { central: true, authorise, ground, reason })
  await findGiven(tools.db, ground)
  const wanted = { id, action: 'publication.delete', authorise }
  return change(tools.db, caller, publication, wanted, async (tx, _before, save) => {
    const now = await readNow(tx)
    return getManagedPublication(tx, await save({ deleted_at: now, withdrawn_at: now }))
  })
}

/** Restores a publication as it was, for those who could delete it. One that is not deleted stays as it is. */
export async function restorePublication(
  tools: Tools,
  caller: SignedIn,
  id: string,
): Promise<ManagedPublication> {
  const isTeam = await actsForTeam(tools.db, caller, id)
  const authorise = (tx: Database, before: StoredPublication) =>
    requireMayRestore(tx, caller, before, { isTeam })
  if (isTeam) return decide(tools, caller, id, { do: 'restore' }, { central: true, authorise })
  const wanted = { id, action: 'publication.restore', authorise }
  return change(tools.db, caller, publication, wanted, async (tx, _before, save) =>
    getManagedPublication(tx, await save({ deleted_at: null })),
  )
}

/** Whether the caller acts as an administrator, on a publication of which acteur they are no member. */
async function actsForTeam(db: Database, { user }: SignedIn, id: string): Promise<boolean> {
  if (!isAdmin(user)) return false
  const row = await db.selectFrom('publications').select('acteur_id').where('id', '=', id).executeTakeFirst()
  return row !== undefined && (row.acteur_id === null || !isMember(user, row.acteur_id))
}

type Shown = Pick<Content, 'images' | 'documents'>

/** Requires that the caller may use the pictures and documents that a publication begins to show. */
async function requireMedia(
  tx: Database,
  caller: SignedIn,
  acteurId: string | null,
  { after, before }: { after: Shown; before?: Shown },
): Promise<void> {
  await requireImages(tx, caller, { acteurId, after: after.images, before: before?.images ?? null })
  await requireDocuments(tx, caller, { acteurId, after: after.documents, before: before?.documents ?? null })
}

/** Keeps the communes unless the request mentions them. */
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

/** Returns the first state: published or scheduled if the acteur may publish, otherwise pending. */
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
  // Truncated to the stored precision, because rounding up would give a future time.
  const now = sql<Date>`date_trunc('milliseconds', now())`
  return { moderation_status: 'published', valide: true, publie_le: now }
}

/** True if an edit needs no review; an edit of a rejected publication always needs one. */
const maySkipReading = (acteur: ActeurRow | null, { moderation_status }: StoredPublication): boolean =>
  moderation_status !== 'rejected' && acteur?.can_publish === true && acteur.valide && acteur.active

/** Returns the publication to pending. It keeps the reason of a rejection, or what it waited with before. */
const sentBack = ({ moderation_status, moderation_reason, resubmitted }: StoredPublication) => ({
  moderation_status: 'pending' as const,
  valide: false,
  moderation_reason: ['pending', 'rejected'].includes(moderation_status) ? moderation_reason : null,
  resubmitted: moderation_status === 'rejected' || resubmitted,
})

/**
 * The slug of a publication: its title, and the random end of its id. Always: a suffix only where a title is taken would tell
 * whoever writes or reads one that the public does not see another of this title.
 */
export const slugOf = (title: string, id: string) =>
  `${slugify(title).slice(0, 100).replace(/-$/, '') || 'publication'}-${id.slice(-12)}`

const notTheirs = {
  en: 'is only allowed for an acteur that can publish, or an administrator',
  fr: 'est réservé à un acteur qui peut publier, ou à un administrateur',
}
const notToCome = { en: 'must be in the future', fr: 'doit être dans le futur' }
const unknownActeur = { en: 'must be an existing acteur', fr: 'doit être un acteur existant' }

const notEmpty = {
  en: 'may be empty only for the acteur of a group of communes',
  fr: 'ne peut être vide que pour l’acteur d’un groupe de communes',
}

/** The communes a publication is shown in, and the first of them. */
type Attachment = { commune_id: string | null; commune_ids: string[] }
/** The acteur it is written for; an administrator may choose any communes. */
type Writer = { acteur: ActeurRow | null; asAdmin: boolean }
type Asked = Pick<PublicationUpdate, keyof Attachment>

/**
 * Determines the communes of a publication: the acteur's own, or for a mairie those that name it; an
 * administrator may choose any. Fields that the request omits stay, or default to the acteur's. For the acteur of a group, no
 * commune means all members.
 */
async function attach(
  tx: Database,
  caller: SignedIn,
  { acteur, asAdmin }: Writer,
  asked: Asked,
  current: Attachment | null = null,
): Promise<Attachment> {
  const isOfGroup = acteur?.is_of_group === true
  if (asked.commune_ids?.length === 0 && !isOfGroup) throw invalid('commune_ids', notEmpty)
  const named = [asked.commune_id, ...(asked.commune_ids ?? [])].filter((id) => typeof id === 'string')
  const communes = await listCommunesForShare(tx, named, acteur)
  refuseUnknown(asked, new Set(communes.map(({ id }) => id)))
  const ofActeur = communes.filter(({ of_acteur }) => of_acteur).map(({ id }) => id)
  // The acteur's own commune first, then those that name it.
  const preferred = isOfGroup
    ? null
    : (ofActeur.find((id) => id === acteur?.commune_id) ?? ofActeur[0] ?? null)
  const attachment = choose(asked, preferred, current)
  if (current !== null && isSame(attachment, current)) return current
  if (isOfGroup && attachment.commune_ids.length === 0)
    requireMayAttach(caller, restrictionOf(caller) === null ? [] : await listMembersOf(tx, acteur.id), null)
  else requireMayAttach(caller, attachment.commune_ids, asAdmin ? null : ofActeur)
  return attachment
}

function choose(asked: Asked, preferred: string | null, current: Attachment | null): Attachment {
  const { commune_id, commune_ids } = asked
  if (commune_ids?.length === 0 && typeof commune_id !== 'string') return attachmentOf(null, [])
  const preselected =
    commune_id === undefined && current !== null ? current.commune_id : (commune_id ?? preferred)
  if (commune_ids !== undefined) {
    // A given `commune_id` is first, even if the list omits it; otherwise the first one is in the list.
    const [head = preselected] = commune_ids
    const first =
      typeof commune_id === 'string' || commune_ids.includes(preselected ?? '') ? preselected : head
    return attachmentOf(first, commune_ids)
  }
  const others = current?.commune_ids ?? []
  // Replaces the first commune and keeps the others.
  const kept =
    preselected !== null && others.includes(preselected)
      ? others
      : others.filter((id) => id !== current?.commune_id)
  return attachmentOf(preselected, kept)
}

const attachmentOf = (first: string | null, others: string[]): Attachment => ({
  commune_id: first,
  commune_ids: [...new Set([...(first === null ? [] : [first]), ...others])].sort(),
})

/** Compares attachments, whose lists are sorted. */
const isSame = (attachment: Attachment, other: Attachment): boolean =>
  attachment.commune_id === other.commune_id && `${attachment.commune_ids}` === `${other.commune_ids}`

function refuseUnknown({ commune_id, commune_ids = [] }: Asked, known: Set<string>): void {
  const fields = [
    ...(typeof commune_id === 'string' ? [{ field: 'commune_id', id: commune_id }] : []),
    ...commune_ids.map((id, index) => ({ field: `commune_ids.${index}`, id })),
  ]
  const problems: Problem[] = fields
    .filter(({ id }) => !known.has(id))
    .map(({ field }) => ({
      field,
      message: { en: 'must be an existing commune', fr: 'doit être une commune existante' },
    }))
  if (problems.length > 0) throw validationFailed(problems)
}
