import { sql } from 'kysely'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { DecidedItem } from '../../../platform/undo.ts'
import { publication } from '../record.ts'
import { type DecisionRow, listForUpdate } from './rows.ts'

/** A member of a group of suspected duplicates. */
export type Member = DecisionRow & {
  duplicate_key: string
  /** The decision that found it distinct from the others with that decision; null: none did. */
  distinct_by: string | null
}

/** Locks publications in id order, then reads their groups, which may have changed until then. */
export async function lockMembers(tx: Database, ids: string[]): Promise<Member[]> {
  const locked = await listForUpdate(tx, ids)
  const { rows } = await sql<Pick<Member, 'id' | 'duplicate_key' | 'distinct_by'>>`
    select p.id, p.duplicate_key, d.decision_id as distinct_by
    from publications p left join distinct_publications d on d.publication_id = p.id
    where p.id = any(${ids}::uuid[])`.execute(tx)
  const groups = new Map(rows.map((row) => [row.id, row]))
  return locked.flatMap((row) => {
    const group = groups.get(row.id)
    return group === undefined ? [] : [{ ...row, ...group }]
  })
}

/** Counts the members of a group that are neither deleted nor rejected. */
export async function countOpen(tx: Database, duplicateKey: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from publications
    where duplicate_key = ${duplicateKey} and deleted_at is null and moderation_status <> 'rejected'`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

type Distinct = Pick<Member, 'id' | 'distinct_by'>

/** Stores by which decision publications are distinct. */
export async function writeDistinct(tx: Database, rows: readonly Distinct[]): Promise<void> {
  if (rows.length === 0) return
  const found = rows.map(({ id, distinct_by }) => ({ id, distinct_by }))
  await sql`
    with found as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as f (id uuid, distinct_by uuid)),
    removed as (
      delete from distinct_publications d using found where d.publication_id = found.id and found.distinct_by is null)
    insert into distinct_publications (publication_id, decision_id)
    select id, distinct_by from found where distinct_by is not null
    on conflict (publication_id) do update set decision_id = excluded.decision_id`.execute(tx)
}

/**
 * Restores the earlier decision of each locked publication, or none, unless a later one found it distinct. The content
 * may have changed since: the versions of the items stay as they are.
 */
export async function undoDistinct(
  tx: Database,
  caller: SignedIn,
  decisionId: string,
  items: DecidedItem[],
): Promise<Map<string, number>> {
  const members = await lockMembers(
    tx,
    items.map(({ record_id }) => record_id),
  )
  const current = new Map(members.map(({ id, distinct_by }) => [id, distinct_by]))
  const restored = items.filter(({ record_id }) => current.get(record_id) === decisionId)
  const before = restored.map((item) => ({ id: item.record_id, ...(item.before as Before) }))
  await writeDistinct(tx, before)
  await append(
    tx,
    caller,
    before.map(({ id, distinct_by }) => ({
      action: 'publication.undo',
      kind: publication,
      entityId: id,
      before: { distinct_by: decisionId },
      after: { distinct_by, decision_id: decisionId },
    })),
  )
  return new Map(restored.map(({ record_id, version }) => [record_id, version]))
}

/** The state before a decision, as `distinguish` stored it. */
type Before = Pick<Member, 'distinct_by'>
