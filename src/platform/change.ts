import { isDeepStrictEqual } from 'node:util'
import type { Caller } from './access/caller.ts'
import { type AuditedKind, type Author, type Change, recordAudit, recordAudits } from './audit/record.ts'
import type { Database } from './database/connect.ts'
import { invalid } from './errors.ts'
import { requireVersion } from './formats/version-tag.ts'
import { onlyOnce } from './idempotency.ts'

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

type Wanted<Row> = {
  id: string
  action: string
  /** Checks the caller's permission before anything about the record is disclosed. */
  authorise?(tx: Database, row: Row): void | Promise<void>
}

/** Related changes that the audit entry shows beside those of the record. */
type Related = { before?: Values; after?: Values }

/** Writes the values if they differ, with the audit entry, and returns the record as it now is. */
type Save<Row, Written> = (values: Written, related?: Related) => Promise<Row>

/**
 * Changes one record in one transaction: lock → authorise → check version → work → save → response.
 *
 * `work` decides what to write, calls `save` with it and returns the response, so that the response shows what this
 * transaction wrote, not a later change. It may change dependent rows or enqueue jobs, and throws to refuse. With an
 * `Idempotency-Key` the change happens at most once.
 */
export function change<Row extends Stored, Written extends object, Answer>(
  db: Database,
  caller: Caller,
  kind: RecordKind<Row, Written>,
  { id, action, authorise }: Wanted<NoInfer<Row>>,
  work: (tx: Database, before: Row, save: Save<Row, Written>) => Promise<Answer>,
): Promise<Answer> {
  return db.transaction().execute((tx) =>
    onlyOnce(tx, caller, async () => {
      const before = await kind.lock(tx, id)
      await authorise?.(tx, before)
      requireVersion(caller, before)
      let isSaved = false
      const answer = await work(tx, before, (values, related) => {
        isSaved = true
        return saveChange(tx, caller, { kind, action, before, values, related })
      })
      if (!isSaved) throw new Error(`${action} ended without a save, so without an audit entry`)
      return answer
    }),
  )
}

type Saving<Row extends Stored, Written extends object> = {
  kind: RecordKind<Row, Written>
  action: string
  before: Row
  values: Written
  related: Related | undefined
}

async function saveChange<Row extends Stored, Written extends object>(
  tx: Database,
  caller: Caller,
  { kind, action, before, values, related }: Saving<Row, Written>,
): Promise<Row> {
  const isSame = isDeepStrictEqual({ ...before, ...values }, before)
  const after = isSame ? before : await kind.write(tx, before, values)
  const auditedValues = kind.auditedValues ?? ((row: Row): Values => row)
  await recordAudit(tx, caller, {
    action,
    kind,
    entityId: before.id,
    before: { ...auditedValues(before), ...related?.before },
    after: { ...auditedValues(after), ...related?.after },
  })
  return after
}

type Made<Row, Answer, Allowed> = {
  action: string
  /** Reads the response within the transaction, if it contains more than the record. */
  read?(tx: Database, row: Row): Promise<Answer>
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

type Entry = Omit<Change, 'before' | 'after'> & Partial<Pick<Change, 'before' | 'after'>>

/**
 * Appends audit entries in the transaction of what they describe: an event that changes no record, or rows that one
 * statement wrote, such as those of a job. An entry without effect is not written.
 */
export function append(tx: Database, caller: Author, entries: Entry | Entry[]): Promise<void> {
  const changes = [entries].flat().map((entry) => ({ before: null, after: null, ...entry }))
  return recordAudits(tx, caller, changes)
}

/** Describes how up to a hundred records of one kind are locked, written and audited together. */
type ManyKind<
  Row extends Stored,
  One extends Changed<Row>,
  Written,
  Previous,
  Refused extends string,
> = AuditedKind & {
  /** Locks the existing records in id order: concurrent callers wait for each other instead of deadlocking. */
  lock(tx: Database, ids: string[]): Promise<Row[]>
  write(tx: Database, rows: Row[]): Promise<Written>
  /** The audit entries of a record. */
  entries(one: One): { action: string; before: Values; after: Values }[]
  /** The state before, as the response shows it. */
  previous(row: Row): Previous
  /** Tells `unchanged` from `updated`, if it is not by `previous`. */
  isSame?(one: One): boolean
  /** The result of records that `work` omits. */
  refused?: Refused
}

/** Builds an audit entry for each of these fields, with its own action; one that did not change is not written. */
export const entryPerField =
  <State extends object>(actions: { [Field in keyof State]: (after: State) => string }) =>
  ({ before, after }: Changed<State>): { action: string; before: Values; after: Values }[] =>
    (Object.keys(actions) as (keyof State & string)[]).map((field) => ({
      action: actions[field](after),
      before: { [field]: before[field] },
      after: { [field]: after[field] },
    }))

type Many = {
  ids: string[]
  /** By id, the version that the caller has seen. */
  versions?: Record<string, number> | undefined
}

type Result<Refused extends string> = 'updated' | 'unchanged' | 'not_found' | 'changed' | Refused
export type ManyResults<Previous, Refused extends string> = {
  data: { id: string; result: Result<Refused>; previous: Previous | null }[]
  meta: Record<Result<Refused>, number>
}
type Changed<Row> = { before: Row; after: Row }

/** Writes the records that differ, with their audit entries; returns the results and what the write returned. */
type SaveMany<One, Written, Previous, Refused extends string> = (
  decided: One[],
) => Promise<{ results: ManyResults<Previous, Refused>; written: Written }>

/**
 * Changes up to a hundred records in one transaction, with as many statements as for one: lock → check versions → work →
 * save → response. Records that are missing, refused or not in the version that the caller has seen stay as they
 * are; the others change. A repeated id counts once.
 *
 * `work` gets the records in the version that the caller has seen. It calls `save` with each and its new state, without
 * those it refuses, and returns the response.
 */
export async function changeMany<
  Row extends Stored,
  One extends Changed<Row>,
  Written,
  Previous,
  Answer,
  Refused extends string = never,
>(
  db: Database,
  caller: Caller,
  kind: ManyKind<Row, One, Written, Previous, Refused>,
  { ids, versions = {} }: Many,
  work: (tx: Database, rows: Row[], save: SaveMany<One, Written, Previous, Refused>) => Promise<Answer>,
): Promise<Answer> {
  const seen = new Map(Object.entries(versions).map(([id, version]) => [id.toLowerCase(), version]))
  const distinct = [...new Set(ids.map((id) => id.toLowerCase()))]
  for (const id of seen.keys()) if (!distinct.includes(id)) throw invalid(`versions.${id}`, notAmongIds)
  return db.transaction().execute(async (tx) => {
    const rows = await kind.lock(tx, distinct)
    const asSeen = rows.filter(({ id, version }) => (seen.get(id) ?? version) === version)
    let isSaved = false
    const answer = await work(tx, asSeen, async (decided) => {
      isSaved = true
      const changed = decided.filter(({ before, after }) => !isDeepStrictEqual(before, after))
      const after = changed.map((one) => one.after)
      const written = await kind.write(tx, after)
      const entries = decided.flatMap((one) =>
        kind.entries(one).map((entry) => ({ ...entry, kind, entityId: one.before.id })),
      )
      await recordAudits(tx, caller, entries)
      return { results: resultsOf(kind, distinct, { rows, asSeen, decided }), written }
    })
    if (!isSaved) throw new Error('a bulk change ended without a save, so without audit entries')
    return answer
  })
}

const notAmongIds = { en: 'is not among the ids', fr: 'ne figure pas parmi les ids' }

/** Builds the result of each id, in this order. */
function resultsOf<Row extends Stored, One extends Changed<Row>, Previous, Refused extends string>(
  { previous, isSame, refused }: ManyKind<Row, One, unknown, Previous, Refused>,
  ids: string[],
  { rows, asSeen, decided }: { rows: Row[]; asSeen: Row[]; decided: One[] },
): ManyResults<Previous, Refused> {
  const results = new Map<string, Result<Refused>>(rows.map(({ id }) => [id, 'changed']))
  if (refused !== undefined) for (const { id } of asSeen) results.set(id, refused)
  for (const one of decided) {
    const { before, after } = one
    const same = isSame?.(one) ?? isDeepStrictEqual(previous(before), previous(after))
    results.set(before.id, same ? 'unchanged' : 'updated')
  }
  const states = new Map(decided.map(({ before }) => [before.id, before]))
  const counted = { updated: 0, unchanged: 0, not_found: 0, ...(refused && { [refused]: 0 }), changed: 0 }
  const meta = counted as Record<Result<Refused>, number>
  const data = ids.map((id) => {
    const result = results.get(id) ?? 'not_found'
    meta[result] += 1
    const before = states.get(id)
    return { id, result, previous: before === undefined ? null : previous(before) }
  })
  return { data, meta }
}
