import { type RawBuilder, sql } from 'kysely'
import { userNameOf } from '../../platform/access/users.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { DecidedItem, Undoable } from '../../platform/undo.ts'
import type { Decision } from './schema.ts'

/** True if a later decision on the record of item `i` has not been undone. */
const isSuperseded = sql`exists (
        select from decision_items later
        where later.record_id = i.record_id and later.seq > i.seq and later.undone_at is null)`

/** Period in which a decision can be undone. */
const undoable = sql`interval '15 minutes'`

/** `is_open`: whether an undo would restore at least one record. */
export type DecisionRow = Omit<Decision, 'can'> & { is_open: boolean }

const shown = 20

/** Lists the newest decisions on these kinds, of one person or of everybody, with their records. */
export async function listDecisions(
  db: Database,
  kinds: ReadonlyMap<string, Undoable>,
  userId: string | null,
): Promise<DecisionRow[]> {
  const byKind = (part: (kind: Undoable) => RawBuilder<unknown>) =>
    sql`case d.kind ${sql.join(
      [...kinds].map(([name, kind]) => sql`when ${name} then ${part(kind)}`),
      sql` `,
    )} end`
  const { rows } = await sql<DecisionRow>`
    with newest as materialized (
      select * from decisions d
      where ${userId === null ? sql`true` : sql`d.decided_by = ${userId}`} and d.kind = any(${[...kinds.keys()]})
      order by d.id desc limit ${shown})
    select d.id, d.kind, d.action, d.outcome, d.decided_by, d.decided_at, d.undone_at,
      d.decided_at + ${undoable} as undo_until,
      d.undone_at is null and d.decided_at + ${undoable} > clock_timestamp() and exists (
        select from decision_items i
        where i.decision_id = d.id and i.undone_at is null and not ${isSuperseded}
          and ${byKind(({ isRestorable }) => isRestorable)}) as is_open,
      ${userNameOf(sql`d.decided_by`)} as decided_by_user,
      (select json_agg(json_build_object('id', i.record_id, 'title', ${byKind(({ title }) => title)},
          'undone', i.undone_at is not null) order by i.seq)
        from decision_items i where i.decision_id = d.id) as items
    from newest d order by d.id desc`.execute(db)
  return rows
}

export type LockedDecision = {
  id: string
  kind: string
  action: string
  decided_by: string
  decided_at: Date
  is_open: boolean
  is_undone: boolean
}

/** Locks a decision until the transaction ends; 404 if it does not exist. */
export async function getDecisionForUpdate(tx: Database, id: string): Promise<LockedDecision> {
  const { rows } = await sql<LockedDecision>`
    select id, kind, action, decided_by, decided_at, decided_at + ${undoable} > clock_timestamp() as is_open,
      undone_at is not null as is_undone
    from decisions where id = ${id} for update`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export type ItemRow = DecidedItem & {
  version_before: number
  isUndone: boolean
  /** True if a later decision on the record has not been undone. */
  isSuperseded: boolean
}

/**
 * Lists the records of a decision. Call it again under the lock: undoing a later decision changes versions.
 */
export async function listItems(tx: Database, decisionId: string): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select i.record_id, i.version_before, i.version, i.before, i.undone_at is not null as "isUndone",
      ${isSuperseded} as "isSuperseded"
    from decision_items i where i.decision_id = ${decisionId} order by i.seq`.execute(tx)
  return rows
}

/**
 * Marks records as undone, with their new versions. If the undo restores what an earlier decision left, that
 * decision can be undone next: its item gets the new version.
 */
export async function markUndone(
  tx: Database,
  decisionId: string,
  userId: string,
  versions: ReadonlyMap<string, number>,
): Promise<void> {
  const restored = [...versions].map(([record_id, version]) => ({ record_id, version }))
  await sql`
    update decisions set undone_at = coalesce(undone_at, now()), undone_by = coalesce(undone_by, ${userId})
    where id = ${decisionId}`.execute(tx)
  await sql`
    with restored as (
      select * from jsonb_to_recordset(${JSON.stringify(restored)}::jsonb) as r (record_id uuid, version integer)),
    undone as (
      update decision_items i set undone_at = now() from restored r
      where i.decision_id = ${decisionId} and i.record_id = r.record_id
      returning i.record_id, i.seq, i.version_before, r.version)
    update decision_items earlier set version = undone.version from undone
    where earlier.record_id = undone.record_id and earlier.seq < undone.seq and earlier.undone_at is null
      and earlier.version = undone.version_before`.execute(tx)
}
