import { isDeepStrictEqual } from 'node:util'
import type { Caller } from './access/caller.ts'
import { type AuditedKind, recordAudit } from './audit/record.ts'
import type { Database } from './database/connect.ts'
import { requireVersion } from './http/versions.ts'
import { onlyOnce } from './idempotency.ts'

type Stored = { id: string; version: number }
type Values = Record<string, unknown>

/** A kind of record that people change. */
export type RecordKind<Row extends Stored, Written extends object = Partial<Row>> = AuditedKind & {
  /** The record, its own lists among its fields, as nobody else changes it until the transaction ends; else a 404. */
  hold(tx: Database, id: string): Promise<Row>
  /** Writes these values, and answers the record as it then is. */
  write(tx: Database, before: Row, values: Written): Promise<Row>
  /** What the trail compares and keeps, where that is not the record itself. */
  trailOf?(row: Row): Values
}

type Wanted<Row, Answer> = {
  id: string
  action: string
  /** Whether the caller may: asked before anything is told of the record. */
  authorise?(tx: Database, row: Row): void | Promise<void>
  /** What is answered, where that is more than the record: read where it was written. */
  read?(tx: Database, row: Row): Promise<Answer>
}

/** Adds to the trail what changed beside the record itself. */
type Note = (after: Values, before?: Values) => void

/**
 * The one way a record changes: hold → authorise → version → work → compare → write → trail → answer, in one
 * transaction. `work` decides what to write, and may change what hangs on the record or start jobs; it throws to refuse.
 * What is answered is what was written, not what somebody else wrote since. Where it is asked for by a creating request,
 * it is done once however often that is sent.
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
      const before = await kind.hold(tx, id)
      await authorise?.(tx, before)
      requireVersion(caller, before)
      const beside = { before: {}, after: {} }
      const values = await work(tx, before, (after, was = {}) => {
        Object.assign(beside.before, was)
        Object.assign(beside.after, after)
      })
      const isSame = isDeepStrictEqual({ ...before, ...values }, before)
      const after = isSame ? before : await kind.write(tx, before, values)
      const trailOf = kind.trailOf ?? ((row: Row): Values => row)
      await recordAudit(tx, caller, {
        action,
        kind,
        entityId: before.id,
        before: { ...trailOf(before), ...beside.before },
        after: { ...trailOf(after), ...beside.after },
      })
      return read === undefined ? (after as unknown as Answer) : read(tx, after)
    }),
  )
}

/** The one way a record comes to be: insert → trail → answer, once however often the request is sent. */
export function create<Row extends { id: string }, Answer = Row>(
  db: Database,
  caller: Caller,
  kind: AuditedKind & { trailOf?(row: Row): Values },
  { action, read }: Pick<Wanted<NoInfer<Row>, Answer>, 'action' | 'read'>,
  insert: (tx: Database) => Promise<Row>,
): Promise<Answer> {
  return db.transaction().execute(async (tx) => {
    return onlyOnce(tx, caller, async () => {
      const row = await insert(tx)
      const after = kind.trailOf?.(row) ?? row
      await recordAudit(tx, caller, { action, kind, entityId: row.id, before: null, after })
      return read === undefined ? (row as unknown as Answer) : read(tx, row)
    })
  })
}
