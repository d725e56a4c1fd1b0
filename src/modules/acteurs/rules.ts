import type { Static } from 'typebox'
import type { Caller, SignedIn } from '../../platform/access/caller.ts'
import { change, create } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { parseMailAddress } from '../../platform/formats/mail-address.ts'
import { slugify } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Deps } from '../../platform/module.ts'
import { readOpeningHours } from '../defibrillateurs/hours/opening-hours.ts'
import { requireImage } from '../media/images.ts'
import { findDeactivating, recordActivation } from './deactivating.ts'
import * as queries from './queries.ts'
import { acteur } from './record.ts'
import { hidingActeur } from './refresh-lists.ts'
import { type ActeurCreate, type ActeurUpdate, type ActiveBody, isLive } from './schema.ts'

type Row = queries.ActeurRow

export function createActeur(db: Database, caller: Caller, body: ActeurCreate): Promise<Row> {
  refuseUnreadable(body)
  return create(db, caller, acteur, { action: 'acteur.create' }, (tx) => insertWithSlug(tx, body))
}

/** Types of acteurs that a commune or a group names. */
const isNameable = (type: Row['type']): boolean => type === 'mairie' || type === 'intercommunalite'

/** Updates an acteur. `authorise` checks the permission for its row, where the audience of the route does not. */
export function updateActeur<Answer>(
  db: Database,
  caller: SignedIn,
  id: string,
  body: ActeurUpdate,
  read: (tx: Database, row: Row) => Promise<Answer>,
  authorise?: (tx: Database, row: Row) => void,
): Promise<Answer> {
  refuseUnreadable(body)
  const asked = { id, action: 'acteur.update', ...(authorise && { authorise }) }
  return change(db, caller, acteur, asked, async (tx, before, save) => {
    refuseDeleted(before)
    if (isNameable(before.type) && body.type !== undefined && body.type !== before.type) {
      await queries.lockWithKeys(tx, id)
      if (await queries.isNamedBySome(tx, id)) throw conflict()
    }
    if (body.logo !== undefined)
      await requireImage(tx, caller, 'logo', { acteurId: id, before: before.logo, after: body.logo })
    return read(tx, await save(body))
  })
}

type Decision = Partial<Pick<Row, 'valide' | 'badge' | 'can_publish'>>

/** Applies an administrator's decision, audited under its own action. */
export function decideActeur(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: Caller,
  id: string,
  action: 'validate' | 'badge' | 'can_publish',
  decision: Decision,
): Promise<Row> {
  return change(
    db,
    caller,
    hidingActeur(jobs),
    { id, action: `acteur.${action}` },
    async (_tx, before, save) => {
      refuseDeleted(before)
      return save(decision)
    },
  )
}

/** Activates or deactivates an acteur, with the statement of what it takes from its owners. */
export function setActive(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: SignedIn,
  id: string,
  { active, ...why }: Static<typeof ActiveBody>,
): Promise<Row> {
  return change(db, caller, hidingActeur(jobs), { id, action: 'acteur.active' }, async (tx, before, save) => {
    refuseDeleted(before)
    const deactivating = await findDeactivating(tx, { active, ...why }, [before])
    const after = await save({ active }, { after: { ground: deactivating.ground?.code } })
    await recordActivation(tx, jobs, caller, { active }, deactivating, [before])
    return after
  })
}

/** Soft-deletes an acteur. Its publications are hidden through the visibility rule and reappear when it is restored. */
export function deleteActeur(
  { db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>,
  caller: Caller,
  id: string,
): Promise<Row> {
  return change(db, caller, hidingActeur(jobs), { id, action: 'acteur.delete' }, (_tx, before, save) =>
    save({ deleted_at: before.deleted_at ?? clock() }),
  )
}

export function restoreActeur(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: Caller,
  id: string,
): Promise<Row> {
  return change(db, caller, hidingActeur(jobs), { id, action: 'acteur.restore' }, (_tx, _before, save) =>
    save({ deleted_at: null }),
  )
}

/** Refuses changes to a deleted acteur, which can only be read and restored. */
function refuseDeleted(before: Row): void {
  if (!isLive(before)) throw conflict()
}

/**
 * Inserts with a slug of the name and the random end of the id. Always: a suffix only where a name is taken would tell the
 * public of an acteur that it does not see.
 */
export async function insertWithSlug(tx: Database, body: ActeurCreate): Promise<Row> {
  const base = slugify(body.nom) || 'acteur'
  for (;;) {
    const id = uuidv7()
    const inserted = await queries.insertActeur(tx, { ...body, id, slug: `${base}-${id.slice(-6)}` })
    if (inserted !== undefined) return inserted
  }
}

/** Refuses an address that no mail can be sent to, and opening hours that nobody can evaluate. */
function refuseUnreadable({ email, horaires }: ActeurUpdate): void {
  if (typeof email === 'string' && parseMailAddress(email) === null) throw invalid('email', strangeAddress)
  if (typeof horaires === 'string' && readOpeningHours(horaires) === null)
    throw invalid('horaires', strangeHours)
}

const strangeAddress = { en: 'must be a single e-mail address', fr: 'doit être une seule adresse e-mail' }
const strangeHours = {
  en: 'must be opening hours such as Mo-Fr 08:30-12:00,13:30-17:00; 2026 Dec 24 off; PH off',
  fr: 'doit être un horaire comme Mo-Fr 08:30-12:00,13:30-17:00; 2026 Dec 24 off; PH off',
}
