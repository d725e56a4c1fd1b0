import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import type { Database } from '../database/connect.ts'
import { uuidv7 } from '../uuid.ts'

/**
 * A kind of record that the trail knows, and its fields that the trail must not hold: names and contacts of people, and
 * what they wrote. Of these it keeps the name alone.
 */
export type AuditedKind = { readonly entity: string; readonly personal: readonly string[] }

type Values = Record<string, unknown>
export type Change = {
  action: string
  kind: AuditedKind
  entityId: string
  /** The record before; null when the change makes it. */
  before: Values | null
  /** The record after; null when the change removes it. */
  after: Values | null
}

/** Writes down a change, in its own transaction. */
export const recordAudit = (tx: Database, caller: Caller, change: Change): Promise<void> =>
  recordAudits(tx, caller, [change])

/**
 * Writes down changes, in one statement: of each only the fields that changed, and of personal ones only that they
 * did. A change of nothing leaves no row.
 */
export async function recordAudits(tx: Database, caller: Caller, changes: Change[]): Promise<void> {
  const rows = changes.flatMap((change) => {
    const { before, after } = difference(change)
    if (before === null && after === null) return []
    return {
      id: uuidv7(),
      user_id: caller.user?.id ?? null,
      action: change.action,
      entity: change.kind.entity,
      entity_id: change.entityId,
      before,
      after,
      app_source: caller.source?.code ?? null,
      request_id: caller.requestId,
    }
  })
  if (rows.length === 0) return
  // One text however many they are: it stays prepared.
  await sql`
    insert into audit_log (id, user_id, action, entity, entity_id, before, after, app_source, request_id)
    select id, user_id, action, entity, entity_id, before, after, app_source, request_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
      id uuid, user_id uuid, action text, entity text, entity_id text, before jsonb, after jsonb, app_source text,
      request_id text)`.execute(tx)
}

function difference({ kind, before, after }: Change): { before: Values | null; after: Values | null } {
  const names = Object.keys({ ...before, ...after }).filter((name) => !bookkeeping.has(name))
  const changed = names.filter((name) => !same(before?.[name], after?.[name]))
  // What is made or removed is told by what it holds, a change also by what it empties.
  const isChange = before !== null && after !== null
  const pick = (values: Values | null) => {
    const told = changed.flatMap((name) => {
      const value = values?.[name]
      return value === undefined || (value === null && !isChange) ? [] : [[name, shown(kind, name, value)]]
    })
    return told.length === 0 ? null : Object.fromEntries(told)
  }
  return { before: pick(before), after: pick(after) }
}

const bookkeeping = new Set(['version', 'created_at', 'updated_at', 'last_seen_at'])

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

const shown = ({ personal }: AuditedKind, name: string, value: unknown) =>
  value !== null && personal.includes(name) ? '(personal)' : value
