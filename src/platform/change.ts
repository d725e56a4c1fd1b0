import { isDeepStrictEqual } from 'node:util'
import type { Caller } from './access/caller.ts'
import { type AuditedKind, recordAudit } from './audit/record.ts'
import type { Database } from './database/connect.ts'
import { onlyOnce } from './idempotency.ts'
import { requireVersion } from './version-tag.ts'

type Stored = { id: string; version: number }
type Values = Record<string, unknown>

/** Describes how one kind of record is locked, written and audited. */
export type RecordKind<Row extends Stored, Written extends object = Partial<Row>> = AuditedKind & {
  /** Locks the record until the transaction ends and returns it with its sub-lists; 404 if it does not exist. */
  lock(tx: Database, id: string): Promise<Row>
  /** Writes these values and returns the updated record. */
  write(tx: Database, before: Row, values: Written): Promise<Row>
  /** The values to compare and store in the audit log, when they differ from the record itself. */
  auditedValues?(row: Row): Values
}

type Wanted<Row, Answer> = {
  id: string
  action: string
  /** Checks the caller's permission before anything about the record is disclosed. */
  authorise?(tx: Database, row: Row): void | Promise<void>
  /** Reads the response within the transaction, if it contains more than the record. */
  read?(tx: Database, row: Row): Promise<Answer>
}

/** Adds related changes to the audit entry. */
type Note = (after: Values, before?: Values) => void

/**
 * Changes one record in one transaction: lock → authorise → check version → work → compare → write → audit →
 * read the response.
 *
 * `work` decides what to write. It may change dependent rows or enqueue jobs, and throws to refuse. The
 * response shows what this transaction wrote, not a later change. With an `Idempotency-Key` the change
 * happens at most once.
 */
export function change<Row extends Stored, Written extends object, Answer = Row>(
  db: Database,
  caller: Caller,
  kind: RecordKind<Row, Written>,
  { id, action, authorise, read }: Wanted<NoInfer<Row>, Answer>,
  work: (tx: Database, before: Row, note: Note) => Written | Promise<Written>,
): Promise<Answer> {
  return db.transaction().execute((tx) =>
    onlyOnce(tx, caller, async () => {
      const before = await kind.lock(tx, id)
      await authorise?.(tx, before)
      requireVersion(caller, before)
      const beside = { before: {}, after: {} }
      const values = await work(tx, before, (after, was = {}) => {
        Object.assign(beside.before, was)
        Object.assign(beside.after, after)
      })
      const isSame = isDeepStrictEqual({ ...before, ...values }, before)
      const after = isSame ? before : await kind.write(tx, before, values)
      const auditedValues = kind.auditedValues ?? ((row: Row): Values => row)
      await recordAudit(tx, caller, {
        action,
        kind,
        entityId: before.id,
        before: { ...auditedValues(before), ...beside.before },
        after: { ...auditedValues(after), ...beside.after },
      })
      return read === undefined ? (after as unknown as Answer) : read(tx, after)
    }),
  )
}

type Made<Row, Answer, Allowed> = Pick<Wanted<Row, Answer>, 'action' | 'read'> & {
  /**
   * Refuses a caller without permission, also on a retry of a request that succeeded. `insert` gets the
   * result.
   */
  authorise?(tx: Database): Promise<Allowed>
}

/**
 * Creates a record: authorise → insert → audit entry → response. A retry with the same `Idempotency-Key`
 * inserts nothing and gets the first response, after the permission is checked again.
 */
export function create<Row extends { id: string }, Answer = Row, Allowed = undefined>(
  db: Database,
  caller: Caller,
  kind: AuditedKind & { auditedValues?(row: Row): Values },
  { action, read, authorise }: Made<NoInfer<Row>, Answer, Allowed>,
  insert: (tx: Database, allowed: NoInfer<Allowed>) => Promise<Row>,
): Promise<Answer> {
  return db.transaction().execute(async (tx) => {
    const allowed = (await authorise?.(tx)) as Allowed
    return onlyOnce(tx, caller, async () => {
      const row = await insert(tx, allowed)
      const after = kind.auditedValues?.(row) ?? row
      await recordAudit(tx, caller, { action, kind, entityId: row.id, before: null, after })
      return read === undefined ? (row as unknown as Answer) : read(tx, row)
    })
  })
}
