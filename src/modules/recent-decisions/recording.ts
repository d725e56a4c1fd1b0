import { sql } from 'kysely'
import type { SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { deferred } from '../../platform/database/pools/prepared.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Outcome } from './schema.ts'

export type RecordedItem = {
  record_id: string
  version_before: number
  version: number
  before: Record<string, unknown>
}

type Decision = {
  id: string
  kind: 'publication' | 'claim'
  action: string
  /** The status that its records got; null if none changed, or not all got the same. */
  outcome: Outcome | null
}

export const newDecisionId = uuidv7

/**
 * Records a decision on locked records, in the transaction of its change, with the values that an undo
 * restores. Returns its id, or null if nothing changed.
 */
export async function recordDecision(
  tx: Database,
  { user }: SignedIn,
  { id, kind, action, outcome }: Decision,
  items: RecordedItem[],
): Promise<string | null> {
  if (items.length === 0) return null
  await sql`
    with made as (
      insert into decisions (id, kind, action, decided_by, outcome)
      values (${id}, ${kind}, ${action}, ${user.id}, ${outcome}))
    insert into decision_items (decision_id, record_id, version_before, version, before)
    select ${id}, record_id, version_before, version, before
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as i (
      record_id uuid, version_before integer, version integer, before jsonb)`.execute(deferred(tx))
  return id
}
