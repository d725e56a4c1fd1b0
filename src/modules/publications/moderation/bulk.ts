import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { recordAudits } from '../../../platform/audit/record.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { publication } from '../record.ts'
import { closeReports, type DecisionRow, listForUpdate, updateDecisions } from './queries.ts'
import { decisionOf } from './rules.ts'
import type { BulkAnswer, BulkModeration, BulkResult } from './schema.ts'
import { type State, transition } from './states.ts'

/** One decision on up to a hundred publications: all in one transaction, in as many statements as for one. */
export function moderateBulk(
  db: Database,
  caller: SignedIn,
  { ids, moderation_status, reason }: BulkModeration,
): Promise<BulkAnswer> {
  return db.transaction().execute(async (tx) => {
    const rows = await listForUpdate(tx, ids)
    const { now, closed } = await closeReports(
      tx,
      rows.flatMap(({ id, deleted_at }) => (deleted_at === null ? [id] : [])),
    )
    const as = { central: true, ...(reason !== undefined && { reason }) }
    const decisions = rows.flatMap((before) => {
      const { next } = transition(before, { do: 'moderate', moderation_status }, now)
      if (next === undefined) return []
      return [{ before, after: { ...before, ...next, ...decisionOf(before, moderation_status, as) } }]
    })
    const changed = decisions.filter(({ before, after }) => !isDeepStrictEqual(before, after))
    if (changed.length > 0) {
      await updateDecisions(
        tx,
        changed.map(({ after }) => after),
      )
    }
    const changes = decisions.map(({ before, after }) => ({
      action: 'publication.moderate',
      kind: publication,
      entityId: before.id,
      before,
      after: { ...after, reports_closed: closed.get(before.id) },
    }))
    await recordAudits(tx, caller, changes)
    return answer(ids, rows, new Map(decisions.map(({ before, after }) => [before.id, after])))
  })
}

/** What became of each, and what it was: enough to undo it. */
function answer(ids: string[], rows: DecisionRow[], decided: Map<string, DecisionRow>): BulkAnswer {
  const meta = { updated: 0, unchanged: 0, not_found: 0, deleted: 0 }
  const found = new Map(rows.map((row) => [row.id, row]))
  const data = ids.map((id) => {
    const [before, after] = [found.get(id), decided.get(id)]
    const result = resultOf(before, after)
    meta[result] += 1
    // Named again, it is as the first time left it.
    if (after !== undefined) found.set(id, after)
    return { id, result, previous: before === undefined || after === undefined ? null : shownState(before) }
  })
  return { data, meta }
}

function resultOf(before: State | undefined, after: State | undefined): BulkResult {
  if (before === undefined) return 'not_found'
  if (after === undefined) return 'deleted'
  return isSameState(before, after) ? 'unchanged' : 'updated'
}

const isSameState = (before: State, after: State) =>
  before.moderation_status === after.moderation_status &&
  before.valide === after.valide &&
  before.publie_le?.getTime() === after.publie_le?.getTime()

const shownState = ({ moderation_status, valide }: State) => ({ moderation_status, valide })
