import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { recordAudits } from '../../../platform/audit/record.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { BulkAnswer, BulkModeration, BulkResult } from '../lists/schema.ts'
import * as queries from './queries.ts'
import { audited, decided } from './rules.ts'
import { type State, type Trigger, transition } from './states.ts'

/** One decision on up to a hundred publications: all in one transaction, in as many statements as for one. */
export function moderateBulk(
  db: Database,
  caller: SignedIn,
  { ids, moderation_status, reason }: BulkModeration,
): Promise<BulkAnswer> {
  const trigger: Trigger = { do: 'moderate', moderation_status }
  return db.transaction().execute(async (tx) => {
    const rows = await queries.lockPublications(tx, ids)
    const now = await queries.readNow(tx)
    const decisions = rows.flatMap((before) => {
      const { next } = transition(before, trigger, now)
      return next ? [{ before, after: decided(before, { ...before, ...next }, caller, reason) }] : []
    })
    const changed = decisions.filter(({ before, after }) => !isDeepStrictEqual(before, after))
    if (changed.length > 0)
      await queries.updateStates(
        tx,
        changed.map(({ after }) => after),
      )
    const closed = await queries.closeReports(
      tx,
      decisions.map(({ before }) => before.id),
    )
    await recordAudits(
      tx,
      caller,
      decisions.map(({ before, after }) => audited(trigger, before, after, closed)),
    )
    const results = new Map<string, BulkResult>(rows.map(({ id }) => [id, 'deleted']))
    for (const { before, after } of decisions)
      results.set(before.id, sameState(before, after) ? 'unchanged' : 'updated')
    return answer(ids, results)
  })
}

const sameState = (one: State, other: State) =>
  one.moderation_status === other.moderation_status &&
  one.valide === other.valide &&
  one.publie_le?.getTime() === other.publie_le?.getTime()

function answer(ids: string[], results: Map<string, BulkResult>): BulkAnswer {
  const meta = { updated: 0, unchanged: 0, not_found: 0, deleted: 0 }
  const data = ids.map((id) => {
    const result = results.get(id) ?? 'not_found'
    meta[result] += 1
    // Named again, it is as the first time left it.
    if (result === 'updated') results.set(id, 'unchanged')
    return { id, result }
  })
  return { data, meta }
}
