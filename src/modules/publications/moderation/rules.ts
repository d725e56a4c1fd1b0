import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { type Change, recordAudit } from '../../../platform/audit/record.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, notFound, type Problem, validationFailed } from '../../../platform/errors.ts'
import { requireVersion } from '../../../platform/http/versions.ts'
import type { PublicationRow } from '../columns.ts'
import type { Feature, Moderation } from '../lists/schema.ts'
import { getPublication } from '../reading/queries.ts'
import { publicationKind } from '../record.ts'
import { isCentral, type Place, requireMayModerate } from './authorise.ts'
import * as queries from './queries.ts'
import { problemOf, type Refusal, type Trigger, transition } from './states.ts'

/** Decides on one publication; in a mairie's route, in the name of that mairie. */
export function moderatePublication(
  db: Database,
  caller: SignedIn,
  id: string,
  decision: Moderation,
  place: Place,
  mairieActeurId: string | null = null,
): Promise<PublicationRow> {
  const { moderation_status, publie_le, reason } = decision
  const trigger: Trigger = {
    do: 'moderate',
    moderation_status,
    ...(publie_le !== undefined && { publie_le: timeOf(publie_le) }),
  }
  const authorise = async (tx: Database, row: queries.LockedPublication) => {
    if (place === 'admin') return
    if (row.deleted_at !== null) throw notFound()
    await requireMayModerate(tx, caller, row, moderation_status, place, mairieActeurId)
  }
  return change(db, caller, id, trigger, { ...(reason !== undefined && { reason }), authorise })
}

/** Validates or invalidates by hand; without a value it toggles. */
export function setValide(db: Database, caller: SignedIn, id: string, valide?: boolean) {
  return change(db, caller, id, { do: 'valide', ...(valide !== undefined && { valide }) })
}

export function featurePublication(db: Database, caller: SignedIn, id: string, feature: Feature) {
  const featured_until = timeOf(feature.featured_until ?? null)
  return change(db, caller, id, { do: 'feature', en_avant: feature.en_avant, featured_until })
}

/** Whoever calls has the right to: the back-office. Links, reports and featuring stay for the day it is restored. */
export const removePublication = (db: Database, caller: SignedIn, id: string) =>
  change(db, caller, id, { do: 'delete' })

export const restorePublication = (db: Database, caller: SignedIn, id: string) =>
  change(db, caller, id, { do: 'restore' })

type Circumstances = {
  reason?: string | null
  authorise?: (tx: Database, row: queries.LockedPublication) => Promise<void>
}

/**
 * One change of state, with its audit row: the row is held from here on, so that of two at once the second sees what
 * the first did. The database tells the time: what is published now is visible to its next reader.
 */
function change(
  db: Database,
  caller: SignedIn,
  id: string,
  trigger: Trigger,
  { reason, authorise }: Circumstances = {},
): Promise<PublicationRow> {
  return db.transaction().execute(async (tx) => {
    const problem = problemOf(trigger, await queries.readNow(tx))
    if (problem) throw validationFailed([problem])
    const before = await queries.getPublicationForUpdate(tx, id)
    await authorise?.(tx, before)
    // Again: waiting for the row may have taken a while.
    const now = await queries.readNow(tx)
    requireVersion(caller, before)
    const { next, refused } = transition(before, trigger, now)
    if (refused) throw refusals[refused]()
    const decides = trigger.do === 'moderate' || trigger.do === 'valide'
    const after = decides ? decided(before, { ...before, ...next }, caller, reason) : { ...before, ...next }
    if (!isDeepStrictEqual(before, after)) await queries.updateStates(tx, [after])
    const closed = decides ? await queries.closeReports(tx, [id]) : noneClosed
    await recordAudit(tx, caller, audited(trigger, before, after, closed))
    return getPublication(tx, id)
  })
}

/** The reports that a decision closed stand with what else it changed. */
export function audited(
  trigger: Trigger,
  before: queries.LockedPublication,
  after: queries.LockedPublication,
  closed: Map<string, number>,
): Change {
  return {
    action: `publication.${trigger.do}`,
    kind: publicationKind,
    entityId: before.id,
    before,
    after: { ...after, reports_closed: closed.get(before.id) },
  }
}

/** A reason belongs to its status. What administrators and moderators decide, a mairie does not reverse. */
export function decided(
  before: queries.LockedPublication,
  next: queries.LockedPublication,
  { user }: SignedIn,
  reason: string | null | undefined,
): queries.LockedPublication {
  const kept = next.moderation_status === before.moderation_status ? before.moderation_reason : null
  return {
    ...next,
    moderation_reason: reason === undefined ? kept : reason,
    decided_centrally: before.decided_centrally || isCentral(user),
  }
}

const noneClosed = new Map<string, number>()
const timeOf = (text: string | null) => (text === null ? null : new Date(text))

const timePassed: Problem = {
  field: 'publie_le',
  message: {
    en: 'cannot change: the publication time has passed',
    fr: 'ne peut plus changer : le moment de la publication est passé',
  },
}

const refusals: Record<Refusal, () => Error> = {
  deleted: conflict,
  time_passed: () => validationFailed([timePassed]),
}
