import type { SignedIn } from '../../../platform/access/caller.ts'
import { change } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, type Problem, validationFailed } from '../../../platform/errors.ts'
import { getManagedPublication, readNow, type StoredPublication } from '../queries.ts'
import { publication } from '../record.ts'
import type { ManagedPublication, ModerationStatus } from '../schema.ts'
import { decidesCentrally, requireMairieMayModerate, requireMayModerate } from './authorise.ts'
import { closeReports, type DecisionRow } from './queries.ts'
import type { Feature, Moderation } from './schema.ts'
import { problemOf, type Refusal, stateOf, type Trigger, transition } from './states.ts'

/** In the back-office: its area lets in nobody but those who decide on everything. */
export const moderateInBackOffice = (db: Database, caller: SignedIn, id: string, decision: Moderation) =>
  moderate(db, caller, id, decision, { central: true })

/** As whoever is signed in. */
export const moderatePublication = (db: Database, caller: SignedIn, id: string, decision: Moderation) =>
  moderate(db, caller, id, decision, {
    central: decidesCentrally(caller),
    authorise: (tx, publication) =>
      requireMayModerate(tx, caller, { publication, status: decision.moderation_status }),
  })

/** In the name of one mairie, which is the one that decides, whoever calls. */
export const moderateForMairie = (
  db: Database,
  caller: SignedIn,
  mairieId: string,
  id: string,
  decision: Moderation,
) =>
  moderate(db, caller, id, decision, {
    central: false,
    authorise: (tx, publication) =>
      requireMairieMayModerate(tx, caller, { publication, status: decision.moderation_status }, mairieId),
  })

/** Validates or invalidates by hand; without a value it toggles. */
export const setValide = (db: Database, caller: SignedIn, id: string, valide?: boolean) =>
  decide(db, caller, id, { do: 'valide', ...(valide !== undefined && { valide }) }, { central: true })

export const featurePublication = (db: Database, caller: SignedIn, id: string, feature: Feature) =>
  decide(db, caller, id, {
    do: 'feature',
    en_avant: feature.en_avant,
    featured_until: timeOf(feature.featured_until ?? null),
  })

/** In the back-office. Links, reports and featuring stay for the day it is restored. */
export const removePublication = (db: Database, caller: SignedIn, id: string) =>
  decide(db, caller, id, { do: 'delete' })

export const restorePublication = (db: Database, caller: SignedIn, id: string) =>
  decide(db, caller, id, { do: 'restore' })

type Authorise = (tx: Database, before: StoredPublication) => Promise<void>
type As = {
  /** What administrators and moderators decide as such, a mairie does not reverse. */
  central: boolean
  reason?: string | null
}

/** A reason belongs to its status. */
export function decisionOf(before: DecisionRow, status: ModerationStatus, { central, reason }: As) {
  const kept = status === before.moderation_status ? before.moderation_reason : null
  return {
    moderation_reason: reason === undefined ? kept : reason,
    decided_centrally: before.decided_centrally || central,
  }
}

function moderate(
  db: Database,
  caller: SignedIn,
  id: string,
  { moderation_status, publie_le, reason }: Moderation,
  as: Omit<As, 'reason'> & { authorise?: Authorise },
): Promise<ManagedPublication> {
  const time = publie_le === undefined ? {} : { publie_le: timeOf(publie_le) }
  const trigger: Trigger = { do: 'moderate', moderation_status, ...time }
  return decide(db, caller, id, trigger, { ...as, ...(reason !== undefined && { reason }) })
}

/** The database tells the time: what is published now is visible to its next reader. */
async function decide(
  db: Database,
  caller: SignedIn,
  id: string,
  trigger: Trigger,
  { authorise, ...as }: As & { authorise?: Authorise } = { central: true },
): Promise<ManagedPublication> {
  if (namesTime(trigger)) {
    const problem = problemOf(trigger, await readNow(db))
    if (problem) throw validationFailed([problem])
  }
  const wanted = {
    id,
    action: `publication.${trigger.do}`,
    ...(authorise && { authorise }),
    read: getManagedPublication,
  }
  return change(db, caller, publication, wanted, async (tx, before, note) => {
    const isDecision = trigger.do === 'moderate' || trigger.do === 'valide'
    // Again: waiting for the row may have taken a while.
    const { now, closed } = isDecision
      ? await closeReports(tx, [before.id])
      : { now: await readNow(tx), closed: null }
    const { next, refused } = transition(stateOf(before), trigger, now)
    if (refused) throw refusals[refused]()
    if (closed === null) return next
    // They stand in the trail with what else the decision changed.
    note({ reports_closed: closed.get(before.id) })
    return { ...next, ...decisionOf(before, next.moderation_status, as) }
  })
}

const namesTime = (trigger: Trigger) => 'publie_le' in trigger || 'featured_until' in trigger

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
