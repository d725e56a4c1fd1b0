import type { SignedIn } from '../../../platform/access/caller.ts'
import { change } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict, type Problem, validationFailed } from '../../../platform/errors.ts'
import type { Deps } from '../../../platform/module.ts'
import { findGiven } from '../../grounds/statements.ts'
import { requireDescribed } from '../../media/images.ts'
import { recordDecided } from '../decisions/record.ts'
import { findRestricting } from '../decisions/restricting.ts'
import type { DecisionRow } from '../decisions/rows.ts'
import { problemOf, type Refusal, stateOf, type Trigger, transition, withCan } from '../decisions/states.ts'
import { getManagedPublication, readNow, type StoredPublication } from '../queries.ts'
import { publication } from '../record.ts'
import type { ModerationStatus } from '../schema.ts'
import { decidesCentrally, requireMairieMayModerate, requireMayModerate } from './authorise.ts'
import { closeReports } from './queries.ts'
import type { DecidedPublication, Feature, Moderation, ReportsClosing } from './schema.ts'

/** Decides for any signed-in user: centrally, or for a mairie. */
export const moderatePublication = (tools: Tools, caller: SignedIn, id: string, decision: Moderation) =>
  moderate(tools, caller, id, decision, {
    central: decidesCentrally(caller),
    authorise: (tx, publication) =>
      requireMayModerate(tx, caller, { publication, status: decision.moderation_status }),
  })

/** Decides for one mairie; not a central decision even if an administrator calls. */
export const moderateForMairie = (
  tools: Tools,
  caller: SignedIn,
  mairieId: string,
  id: string,
  decision: Moderation,
) =>
  moderate(tools, caller, id, decision, {
    central: false,
    authorise: (tx, publication) =>
      requireMairieMayModerate(tx, caller, { publication, status: decision.moderation_status }, mairieId),
  })

export const featurePublication = (tools: Tools, caller: SignedIn, id: string, feature: Feature) =>
  decide(
    tools,
    caller,
    id,
    { do: 'feature', en_avant: feature.en_avant, featured_until: timeOf(feature.featured_until ?? null) },
    { central: true, ground: feature.ground, reason: feature.reason },
  )

/** Closes the open reports of a publication without a decision, because they are unfounded. */
export const closeReportsOf = (
  tools: Tools,
  caller: SignedIn,
  id: string,
  { ground }: ReportsClosing = {},
): Promise<DecidedPublication> =>
  decide(tools, caller, id, { do: 'close_reports' }, { central: true, ground })

export type Tools = Pick<Deps, 'db' | 'jobs'>
type Authorise = (tx: Database, before: StoredPublication) => Promise<void>
type Options = { authorise?: Authorise; ground?: string | undefined }
type As = {
  /** A central decision by administrators or moderators, which a mairie cannot reverse. */
  central: boolean
  reason?: string | null | undefined
}

/** Returns the fields of a decision. The previous reason is kept only if the status stays the same and no other is given. */
export function decisionOf(before: DecisionRow, status: ModerationStatus, { central, reason }: As) {
  const isKept = reason === undefined && status === before.moderation_status
  return {
    moderation_reason: isKept ? before.moderation_reason : (reason ?? null),
    resubmitted: before.resubmitted && isKept,
    decided_centrally: before.decided_centrally || central,
  }
}

export function moderate(
  tools: Tools,
  caller: SignedIn,
  id: string,
  decision: Moderation,
  as: Omit<As, 'reason'> & Pick<Options, 'authorise'>,
): Promise<DecidedPublication> {
  const { reason, ground } = decision
  return decide(tools, caller, id, moderationOf(decision), { ...as, reason, ground })
}

/** Keeps the stored time of publication if none is given. */
export const moderationOf = ({
  moderation_status,
  publie_le,
}: Pick<Moderation, 'moderation_status' | 'publie_le'>): Trigger => ({
  do: 'moderate',
  moderation_status,
  ...(publie_le !== undefined && { publie_le: timeOf(publie_le) }),
})

/**
 * Decides, by default centrally, at the database's time, so that a publication published now is visible
 * immediately.
 */
export async function decide(
  { db, jobs }: Tools,
  caller: SignedIn,
  id: string,
  trigger: Trigger,
  { authorise, ground: code, central, reason }: As & Options = { central: true },
): Promise<DecidedPublication> {
  await requireValid(db, trigger)
  const ground = await findGiven(db, code)
  const action = `publication.${trigger.do}`
  const wanted = { id, action, ...(authorise && { authorise }) }
  return change(db, caller, publication, wanted, async (tx, before, save) => {
    const isDecision = trigger.do === 'moderate' || trigger.do === 'valide'
    // Reads the time again, because waiting for the lock may have taken a while.
    const { now, closed } =
      isDecision || trigger.do === 'close_reports'
        ? await closeReports(tx, [before.id], isDecision ? 'decided' : 'unfounded', ground)
        : { now: await readNow(tx), closed: null }
    const { next, refused } = transition(stateOf(before), trigger, now)
    if (refused) throw refusals[refused]()
    if (next.valide && !before.valide) await requireDescribed(tx, before.images)
    const reports = closed?.get(before.id)
    // Only a verdict is stored with its reason; that of another decision is in its statement alone.
    const as = { central, ...(trigger.do === 'moderate' && { reason }) }
    const values = isDecision ? { ...next, ...decisionOf(before, next.moderation_status, as) } : next
    const decided = [{ before, after: { ...before, ...values } }]
    const restricting = await findRestricting(tx, trigger.do, decided, { ground, reason }, now)
    const after = await save(values, {
      after: { reports_closed: reports?.length, ground: restricting.ground?.code },
    })
    const all = [{ before, after, reports: reports ?? [] }]
    const decision_id = await recordDecided(tx, { jobs }, caller, { action, restricting }, all)
    return { ...withCan(await getManagedPublication(tx, after)), decision_id }
  })
}

/** Throws 422 for a time that is not to come, or that the decision has no use for. */
export async function requireValid(db: Database, trigger: Trigger): Promise<void> {
  if (!('publie_le' in trigger || 'featured_until' in trigger)) return
  const problem = problemOf(trigger, await readNow(db))
  if (problem) throw validationFailed([problem])
}

const timeOf = (text: string | null) => (text === null ? null : new Date(text))

const timePassed: Problem = {
  field: 'publie_le',
  message: {
    en: 'cannot change: the publication time has passed',
    fr: 'ne peut plus changer : le moment de la publication est passé',
  },
}

export const refusals: Record<Refusal, () => Error> = {
  deleted: conflict,
  time_passed: () => validationFailed([timePassed]),
}
