import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { recordAudits } from '../../../platform/audit/record.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { validationFailed } from '../../../platform/errors.ts'
import { requireColleague } from '../assigning/rules.ts'
import { thread } from '../record.ts'
import { listForUpdate, type State, type StateRow, updateStates } from './queries.ts'
import type { BulkAnswer, BulkChange, BulkResult } from './schema.ts'

/** The audit action of each field, the same as for a single thread. */
const actions: Record<keyof State, (after: State) => string> = {
  status: () => 'thread.close',
  unread: ({ unread }) => (unread ? 'thread.unread' : 'thread.read'),
  flag: () => 'thread.flag',
  assignee_id: () => 'thread.assign',
}
const fields = Object.keys(actions) as (keyof State)[]

/** Changes up to a hundred threads in one transaction, with as many statements as for one. */
export async function changeBulk(
  db: Database,
  caller: SignedIn,
  { ids, versions = {}, closed, ...rest }: BulkChange,
): Promise<BulkAnswer> {
  const wanted: Partial<State> = {
    ...rest,
    ...(closed !== undefined && { status: closed ? ('closed' as const) : ('open' as const) }),
  }
  if (Object.keys(wanted).length === 0) throw validationFailed([{ field: '', message: nothing }])
  const seen = new Map(Object.entries(versions).map(([id, version]) => [id.toLowerCase(), version]))
  return db.transaction().execute(async (tx) => {
    if (wanted.assignee_id !== undefined) await requireColleague(tx, 'assignee_id', wanted.assignee_id)
    const rows = await listForUpdate(tx, ids)
    const outcomes = new Map(rows.map((before) => [before.id, outcomeOf(before, wanted, seen)]))
    const changed = rows.flatMap((before) => {
      const { result, after } = outcomes.get(before.id) ?? {}
      return result === 'updated' && after ? [{ before, after }] : []
    })
    await updateStates(
      tx,
      changed.map(({ after }) => after),
    )
    const entries = changed.flatMap(({ before, after }) =>
      fields.map((field) => ({
        action: actions[field](after),
        kind: thread,
        entityId: before.id,
        before: { [field]: before[field] },
        after: { [field]: after[field] },
      })),
    )
    await recordAudits(tx, caller, entries)
    return answer(ids, new Map(rows.map((row) => [row.id, row])), outcomes)
  })
}

/** `after` is missing if the thread was changed meanwhile. */
type Outcome = { result: BulkResult; after?: StateRow }

function outcomeOf(row: StateRow, wanted: Partial<State>, seen: Map<string, number>): Outcome {
  if (row.version !== (seen.get(row.id) ?? row.version)) return { result: 'changed' }
  const after = { ...row, ...wanted }
  return { result: isDeepStrictEqual(after, row) ? 'unchanged' : 'updated', after }
}

/** Builds the result and previous state of each id. A repeated id gets the state after its first change. */
function answer(ids: string[], rows: Map<string, StateRow>, outcomes: Map<string, Outcome>): BulkAnswer {
  const meta = { updated: 0, unchanged: 0, not_found: 0, changed: 0 }
  const data = ids.map((given) => {
    const id = given.toLowerCase()
    const row = rows.get(id)
    const { result, after } = outcomes.get(id) ?? { result: 'not_found' as const }
    meta[result] += 1
    if (after !== undefined) {
      rows.set(id, after)
      outcomes.set(id, { result: 'unchanged', after })
    }
    return { id, result, previous: row === undefined || after === undefined ? null : shown(row) }
  })
  return { data, meta }
}

const shown = ({ status, unread, flag, assignee_id }: State): State => ({ status, unread, flag, assignee_id })

const nothing = {
  en: 'must change something: closed, unread, flag or assignee_id',
  fr: 'doit changer quelque chose : closed, unread, flag ou assignee_id',
}
