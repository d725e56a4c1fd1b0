import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { SignedIn } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../platform/module.ts'
import { endLifted, endReplaced, recordStatements } from '../../grounds/statements.ts'
import { newDecisionId, recordDecision } from '../../recent-decisions/recording.ts'
import { tellOfAcceptances } from '../acceptance/jobs.ts'
import { queueMails } from '../notify.ts'
import type { ModerationStatus } from '../schema.ts'
import type { Restricting } from './restricting.ts'
import { type DecisionRow, decisionRowOf } from './rows.ts'

/** A decided publication: its fields before and after, and the reports that the decision closed. */
export type Decision = { before: DecisionRow; after: DecisionRow; reports: string[] }

type Recording = {
  action: string
  /** Restrictions by publication, with ground and reason. */
  restricting: Restricting
  /** Whether authors and owners get a mail of it; by default they do. */
  mails?: boolean
}

/**
 * Records a decision so that it can be undone, with the statements of what it takes, and enqueues their mails. Returns the
 * id of the decision, or null if nothing changed.
 */
export async function recordDecided(
  tx: Database,
  { jobs }: Pick<Deps, 'jobs'>,
  caller: SignedIn,
  { action, restricting: { ground, reason, restrictions }, mails = true }: Recording,
  all: Decision[],
): Promise<string | null> {
  const changed = all.filter(
    ({ before, after, reports }) =>
      reports.length > 0 || restrictions.has(before.id) || !isSame(before, after),
  )
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
  if (mails)
    await tellOfAcceptances(
      tx,
      { jobs },
      caller,
      changed.filter(isAcceptance).map(({ after }) => after.id),
    )
  const restricted = changed.flatMap(({ before, after, reports }) => {
    const restriction = restrictions.get(before.id)
    if (restriction === undefined) return []
    const { id, version: _, ...state } = decisionRowOf(before)
    // A verdict is stored with its reason, which may be that of an earlier one.
    const said = restriction === 'rejected' ? after.moderation_reason : reason
    return [{ id, restriction, reason: said ?? null, before: state, reports }]
  })
  // Before statements end: one that a report led to tells so of the decisions that follow it.
  const facts = await listFacts(tx, restricted, keptOf(action, all))
  const idsOf = (ones: { before: DecisionRow }[]) => ones.map(({ before }) => before.id)
  await endLifted(tx, idsOf(changed), decisionId)
  if (restricted.length === 0 || ground === null) return decisionId
  await endReplaced(
    tx,
    idsOf(changed.filter(({ before }) => restrictions.get(before.id) === 'rejected')),
    decisionId,
  )
  await recordStatements(
    tx,
    caller,
    { decisionId, ground },
    restricted.map(({ reports: _, ...one }) => ({ ...one, ...facts(one.id) })),
  )
  if (!mails) return decisionId
  for (const [kind, ones] of Map.groupBy(restricted, ({ restriction }) => restriction))
    await queueMails(tx, { jobs }, caller, { kind, decisionId, publicationIds: ones.map(({ id }) => id) })
  return decisionId
}

/** The one of a group of duplicates that the decision keeps; null: it decides on no group. */
const keptOf = (action: string, all: Decision[]) =>
  action === 'publication.keep'
    ? (all.find(({ after }) => after.moderation_status === 'published')?.before.id ?? null)
    : null

/**
 * Returns what led to a decision. `by_report`: it closed a report or leaves one open, as a deletion does, or follows a
 * decision that still holds and that a report led to. `by_machine`: the machine had put it into one group with that which
 * is kept.
 */
async function listFacts(
  tx: Database,
  restricted: { id: string; reports: string[] }[],
  kept: string | null,
): Promise<(id: string) => { by_report: boolean; by_machine: boolean }> {
  const closed = new Set(restricted.flatMap(({ id, reports }) => (reports.length > 0 ? [id] : [])))
  const ids = restricted.map(({ id }) => id)
  const { rows } =
    ids.length === 0
      ? { rows: [] }
      : await sql<{ id: string; reported: boolean; grouped: boolean }>`
    select p.id, exists (
        select from publication_reports r where r.publication_id = p.id and r.closed_at is null)
      or exists (select from statements s where s.record_id = p.id and s.by_report and s.ended_at is null) as reported,
      coalesce(p.duplicate_key = (select k.duplicate_key from publications k where k.id = ${kept}::uuid), false) as grouped
    from publications p where p.id = any(${ids}::uuid[])`.execute(tx)
  const found = new Map(rows.map((row) => [row.id, row]))
  return (id) => ({
    by_report: closed.has(id) || found.get(id)?.reported === true,
    by_machine: found.get(id)?.grouped === true,
  })
}

const accepted: readonly ModerationStatus[] = ['approved', 'published']
const isAcceptance = ({ before, after }: Decision) =>
  accepted.includes(after.moderation_status) && !accepted.includes(before.moderation_status)

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
