import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../platform/module.ts'
import { newDecisionId, recordDecision } from '../../recent-decisions/recording.ts'
import { queueMails } from '../notify.ts'
import type { ModerationStatus } from '../schema.ts'
import { type DecisionRow, decisionRowOf } from './rows.ts'

/** A decided publication: its fields before and after, and the reports that the decision closed. */
export type Decision = { before: DecisionRow; after: DecisionRow; reports: string[] }

/**
 * Records a decision so that it can be undone, and enqueues the mails to authors whose publication it
 * rejected. Returns the id of the decision, or null if nothing changed.
 */
export async function recordDecided(
  tx: Database,
  { jobs }: Pick<Deps, 'jobs'>,
  caller: SignedIn,
  action: string,
  all: Decision[],
): Promise<string | null> {
  const changed = all.filter(({ before, after, reports }) => reports.length > 0 || !isSame(before, after))
  const items = changed.map(({ before, after, reports }) => {
    const { id: record_id, version: version_before, ...state } = decisionRowOf(before)
    return { record_id, version_before, version: after.version, before: { ...state, reports } }
  })
  const decisionId = await recordDecision(
    tx,
    caller,
    { id: newDecisionId(), kind: 'publication', action, outcome: outcomeOf(changed) },
    items,
  )
  if (decisionId === null) return null
  const rejected = changed.flatMap(({ before, after }) =>
    after.moderation_status === 'rejected' && before.moderation_status !== 'rejected' ? [after.id] : [],
  )
  await queueMails(tx, { jobs }, caller, { kind: 'rejected', decisionId, publicationIds: rejected })
  return decisionId
}

function outcomeOf(all: Decision[]): ModerationStatus | null {
  const statuses = new Set(
    all.map(({ before, after }) =>
      before.moderation_status === after.moderation_status ? null : after.moderation_status,
    ),
  )
  const [only = null] = statuses
  return statuses.size === 1 ? only : null
}

const isSame = (before: DecisionRow, after: DecisionRow) => {
  const [{ version: _, ...one }, { version: __, ...other }] = [decisionRowOf(before), decisionRowOf(after)]
  return isDeepStrictEqual(one, other)
}
