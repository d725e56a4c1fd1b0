import { sql } from 'kysely'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { DecidedItem, Undoable } from '../../../platform/undo.ts'
import { undoStatements } from '../../grounds/statements.ts'
import { dropMails, queueMissingMails } from '../notify.ts'
import { publication } from '../record.ts'
import { undoDistinct } from './distinct.ts'
import { type DecisionRow, listForUpdate, updateDecisions } from './rows.ts'

/** Undoes decisions on publications. */
export const undoPublications: Undoable = {
  lock: lockAgainstReports,
  title: sql`(select p.title from publications p where p.id = i.record_id)`,
  isRestorable: sql`exists (select from publications p where p.id = i.record_id and p.version = i.version)`,
  async restore(tx, { jobs }, caller, { id, action }, items) {
    if (action === 'publication.distinguish') return undoDistinct(tx, caller, id, items)
    const restored = await findUnchanged(tx, items)
    if (restored.length === 0) return new Map()
    const reports = restored.flatMap(({ before }) => before.reports)
    const versions = await updateDecisions(
      tx,
      restored.map(({ now, before: { reports: _, ...state } }) => ({ ...now, ...state })),
    )
    const reopened = await reopenReports(tx, reports)
    await undoStatements(tx, id, [...versions.keys()])
    await dropMails(tx, id)
    await queueMissingMails(tx, jobs, [...versions.keys()])
    await append(
      tx,
      caller,
      restored.map(({ now, before: { reports: _, ...state } }) => ({
        action: 'publication.undo',
        kind: publication,
        entityId: now.id,
        before: now,
        after: { ...now, ...state, decision_id: id, reports_reopened: reopened.get(now.id) },
      })),
    )
    return versions
  },
}

/** The state before a decision, as `recordDecided` stored it: times are text. */
type Before = Omit<DecisionRow, 'id' | 'version'> & { reports: string[] }

/** Locks the publications and returns those unchanged since the decision. */
async function findUnchanged(tx: Database, items: DecidedItem[]) {
  const rows = new Map(
    (
      await listForUpdate(
        tx,
        items.map(({ record_id }) => record_id),
      )
    ).map((row) => [row.id, row]),
  )
  return items.flatMap(({ record_id, version, before }) => {
    const now = rows.get(record_id)
    return now?.version === version ? [{ now, before: before as Before }] : []
  })
}

/** Locks publications in id order; this also blocks new reports, which lock them for key share. */
export async function lockAgainstReports(tx: Database, ids: string[]): Promise<void> {
  await sql`select from publications where id = any(${ids}::uuid[]) order by id for update`.execute(tx)
}

/**
 * Reopens closed reports, unless the reporter has a newer open one. Returns how many it reopened, by
 * publication. The publications must be locked against new reports.
 */
export async function reopenReports(tx: Database, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ publication_id: string; count: number }>`
    with reopened as (
      update publication_reports r set closed_at = null, closed_as = null
      where r.id = any(${ids}::uuid[]) and r.closed_at is not null and not exists (
        select from publication_reports newer
        where newer.publication_id = r.publication_id and newer.caller_key = r.caller_key
          and newer.closed_at is null)
      returning r.publication_id)
    select publication_id, count(*)::int as count from reopened group by publication_id`.execute(tx)
  return new Map(rows.map(({ publication_id, count }) => [publication_id, count]))
}
