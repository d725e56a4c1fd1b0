import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { SignedIn } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../platform/module.ts'
import { type Restriction, recordStatements, type Why } from '../../grounds/statements.ts'
import { newDecisionId, recordDecision } from '../../recent-decisions/recording.ts'
import { queueMails } from '../notify.ts'
import type { ModerationStatus } from '../schema.ts'
import { type DecisionRow, decisionRowOf } from './rows.ts'

type PublicationRestriction = Exclude<Restriction, 'deactivated'>

/** A decided publication: its fields before and after, and the reports that the decision closed. */
export type Decision = { before: DecisionRow; after: DecisionRow; reports: string[] }

/**
 * Records a decision so that it can be undone, with the statements of what it takes, and enqueues their mails. Returns the
 * id of the decision, or null if nothing changed.
 */
export async function recordDecided(
  tx: Database,
  { jobs }: Pick<Deps, 'jobs'>,
  caller: SignedIn,
  action: string,
  all: Decision[],
  { mails = true, ...why }: Why & { mails?: boolean } = {},
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
  const restricted = changed.flatMap(({ before, after, reports }) => {
    const restriction = restrictionOf(before, after)
    if (restriction === null) return []
    const { id, version: _, ...state } = decisionRowOf(before)
    return [{ id, restriction, before: state, reports }]
  })
  const reported = await listReported(tx, restricted)
  const decision = { decisionId, entity: 'publication', by_machine: action === 'publication.keep' } as const
  await recordStatements(
    tx,
    caller,
    decision,
    why,
    restricted.map(({ reports: _, ...one }) => ({ ...one, by_report: reported.has(one.id) })),
  )
  if (!mails) return decisionId
  for (const [kind, ones] of Map.groupBy(restricted, ({ restriction }) => restriction))
    await queueMails(tx, { jobs }, caller, { kind, decisionId, publicationIds: ones.map(({ id }) => id) })
  return decisionId
}

/** What a decision takes from a publication; null if nothing. */
function restrictionOf(before: DecisionRow, after: DecisionRow): PublicationRestriction | null {
  if (after.deleted_at !== null) return before.deleted_at === null ? 'deleted' : null
  if (after.moderation_status === 'rejected')
    return before.moderation_status === 'rejected' ? null : 'rejected'
  if (before.valide && !after.valide) return 'hidden'
  return before.en_avant && !after.en_avant ? 'unfeatured' : null
}

/** Ids of those that somebody reported: the decision closed a report, or leaves it open, as a deletion does. */
async function listReported(tx: Database, restricted: { id: string; reports: string[] }[]) {
  const open = restricted.filter(({ reports }) => reports.length === 0).map(({ id }) => id)
  const ids = new Set(restricted.filter(({ reports }) => reports.length > 0).map(({ id }) => id))
  if (open.length === 0) return ids
  const { rows } = await sql<{ id: string }>`
    select distinct publication_id as id from publication_reports
    where publication_id = any(${open}::uuid[]) and closed_at is null`.execute(tx)
  for (const { id } of rows) ids.add(id)
  return ids
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
