import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { deferred } from '../database/pools/prepared.ts'
import { uuidv7 } from '../formats/uuid.ts'

/**
 * A kind of audited record, with its personal fields (names, contacts, free text of people). For these fields
 * the audit log stores only the name.
 */
export type AuditedKind = { readonly entity: string; readonly personal: readonly string[] }

/** Author of a change, as an audit entry stores it. */
export type Author = {
  user: { id: string; key?: { id: string } } | null
  source: { code: string } | null
  requestId: string | null
}

type Values = Record<string, unknown>
export type Change = {
  action: string
  kind: AuditedKind
  entityId: string
  /** The record before the change; null when it is created. */
  before: Values | null
  /** The record after the change; null when it is deleted. */
  after: Values | null
}

/** Writes one audit entry in the transaction of the change. */
export const recordAudit = (tx: Database, caller: Author, change: Change): Promise<void> =>
  recordAudits(tx, caller, [change])

/**
 * Writes audit entries in one statement. Each holds only the fields that changed and, of personal fields, only the
 * names. A change without effect writes nothing. The entry of an access key names the key beside the values.
 */
export async function recordAudits(tx: Database, caller: Author, changes: Change[]): Promise<void> {
  const rows = changes.flatMap((change) => {
    const { before, after } = difference(change)
    if (before === null && after === null) return []
    const key = caller.user?.key && { access_key: caller.user.key.id }
    return {
      id: uuidv7(),
      user_id: caller.user?.id ?? null,
      action: change.action,
      entity: change.kind.entity,
      entity_id: change.entityId,
      before: after === null ? { ...before, ...key } : before,
      after: after === null ? null : { ...after, ...key },
      app_source: caller.source?.code ?? null,
      request_id: caller.requestId,
    }
  })
  if (rows.length === 0) return
  // Same statement text for any number of rows, so that it stays prepared.
  await sql`
    insert into audit_log (id, user_id, action, entity, entity_id, before, after, app_source, request_id)
    select id, user_id, action, entity, entity_id, before, after, app_source, request_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
      id uuid, user_id uuid, action text, entity text, entity_id text, before jsonb, after jsonb, app_source text,
      request_id text)`.execute(deferred(tx))
}

function difference({ kind, before, after }: Change): { before: Values | null; after: Values | null } {
  const names = Object.keys({ ...before, ...after }).filter((name) => !bookkeeping.has(name))
  const changed = names.filter((name) => !same(before?.[name], after?.[name]))
  // An insert or delete lists the fields that have a value; an update also lists the fields it empties.
  const isChange = before !== null && after !== null
  const pick = (values: Values | null) => {
    const entries = changed.flatMap((name) => {
      const value = values?.[name]
      return value === undefined || (value === null && !isChange) ? [] : [[name, shown(kind, name, value)]]
    })
    return entries.length === 0 ? null : Object.fromEntries(entries)
  }
  return { before: pick(before), after: pick(after) }
}

const bookkeeping = new Set(['version', 'created_at', 'updated_at', 'last_seen_at'])

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

const shown = ({ personal }: AuditedKind, name: string, value: unknown) =>
  value !== null && personal.includes(name) ? '(personal)' : value
