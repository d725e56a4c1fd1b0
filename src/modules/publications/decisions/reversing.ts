import { sql } from 'kysely'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../platform/module.ts'
import { holdsOfPublication, type Restriction, undoStatements } from '../../grounds/statements.ts'
import { dropMails, queueMissingMails } from '../notify.ts'
import { publication } from '../record.ts'
import { type DecisionRow, listForUpdate, updateDecisions } from './rows.ts'
import { lockAgainstReports, reopenReports } from './undo.ts'

/**
 * What reversing a decision did. `restored`: what it had taken is back. Otherwise nothing changes: `already_lifted`, by
 * whatever came since; `changed_since`, because another decision holds now; `gone`, because the record was deleted.
 */
export const effects = ['restored', 'already_lifted', 'changed_since', 'gone'] as const
export type Effect = (typeof effects)[number]

type Tools = Pick<Deps, 'jobs'>
type Statement = {
  decision_id: string | null
  restriction: Restriction
  before: Record<string, unknown>
  holds: boolean
  /** Another restriction is in force. */
  others: boolean
}

/**
 * Reverses, however long ago it was decided, what a statement took from a publication: the fields that its restriction
 * changed, as an undo restores them. The text stays as it is now, and reports stay closed: somebody has read them again.
 */
export async function reverseStatement(
  tx: Database,
  { jobs }: Tools,
  caller: SignedIn,
  { statementId, recordId }: { statementId: string; recordId: string },
): Promise<Effect> {
  await lockAgainstReports(tx, [recordId])
  const [now] = await listForUpdate(tx, [recordId])
  const statement = await findStatement(tx, statementId)
  if (now === undefined || statement === null) return 'gone'
  if (!statement.holds) {
    if (now.deleted_at !== null) return 'gone'
    return statement.others ? 'changed_since' : 'already_lifted'
  }
  const { decision_id, restriction, before } = statement
  const restored = Object.fromEntries(takenBy[restriction].map((name) => [name, before[name] ?? null]))
  await updateDecisions(tx, [{ ...now, ...restored }])
  if (decision_id !== null) {
    await undoStatements(tx, decision_id, [recordId])
    await dropMails(tx, decision_id)
    await queueMissingMails(tx, jobs, [recordId])
  }
  const after = { ...now, ...restored, decision_id }
  await append(tx, caller, {
    action: 'publication.undo',
    kind: publication,
    entityId: recordId,
    before: now,
    after,
  })
  return 'restored'
}

type Taken = Exclude<keyof DecisionRow, 'id' | 'version'>
const verdict = [
  'moderation_status',
  'moderation_reason',
  'resubmitted',
  'decided_centrally',
  'valide',
] as const

/** The fields that each restriction changes. */
const takenBy: Record<Restriction, readonly Taken[]> = {
  rejected: verdict,
  // Also by a verdict that asks for another reading.
  hidden: verdict,
  deleted: ['deleted_at'],
  unfeatured: ['en_avant', 'featured_until'],
  deactivated: [],
}

async function findStatement(tx: Database, id: string): Promise<Statement | null> {
  const { rows } = await sql<Statement>`
    select s.decision_id, s.restriction, s.before, ${holdsOfPublication} as holds, exists (
      select from statements other where other.record_id = s.record_id and other.id <> s.id and other.ended_at is null) as others
    from statements s join publications p on p.id = s.record_id where s.id = ${id}`.execute(tx)
  return rows[0] ?? null
}

/** Reverses that a publication stays: opens the reports of an ended case again, so that somebody decides anew. */
export async function reopenCase(
  tx: Database,
  { caseId, recordId }: { caseId: string; recordId: string },
): Promise<Effect> {
  await lockAgainstReports(tx, [recordId])
  const { rows } = await sql<{ isFollowed: boolean; isGone: boolean; isHidden: boolean; reports: string[] }>`
    select c.followed_by is not null as "isFollowed", p.deleted_at is not null as "isGone",
      p.moderation_status = 'rejected' or not p.valide or not coalesce(a.active and a.deleted_at is null, p.acteur_id is null)
        as "isHidden",
      array(select r.id from publication_reports r where r.case_id = c.id and r.closed_at is not null) as reports
    from report_cases c join publications p on p.id = c.publication_id left join acteurs a on a.id = p.acteur_id
    where c.id = ${caseId}`.execute(tx)
  const [found] = rows
  if (found === undefined || found.isGone) return 'gone'
  if (found.isFollowed || found.isHidden) return 'already_lifted'
  const reopened = await reopenReports(tx, found.reports)
  return reopened.size > 0 ? 'restored' : 'changed_since'
}
