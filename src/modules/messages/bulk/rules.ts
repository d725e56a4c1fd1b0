import type { SignedIn } from '../../../platform/access/caller.ts'
import { changeMany, entryPerField } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { validationFailed } from '../../../platform/errors.ts'
import { requireColleague } from '../assigning/rules.ts'
import { thread } from '../record.ts'
import { listForUpdate, type State, type StateRow, updateStates } from './queries.ts'
import type { BulkAnswer, BulkChange } from './schema.ts'

/** The audit action of each field, the same as for a single thread. */
const entries = entryPerField<State>({
  status: () => 'thread.close',
  unread: ({ unread }) => (unread ? 'thread.unread' : 'thread.read'),
  flag: () => 'thread.flag',
  assignee_id: () => 'thread.assign',
})

const threads = {
  ...thread,
  lock: listForUpdate,
  write: updateStates,
  entries,
  previous: ({ status, unread, flag, assignee_id }: StateRow) => ({ status, unread, flag, assignee_id }),
}

/** Makes the same changes to up to a hundred threads. */
export async function changeBulk(
  db: Database,
  caller: SignedIn,
  { ids, versions, closed, ...rest }: BulkChange,
): Promise<BulkAnswer> {
  const wanted: Partial<State> = {
    ...rest,
    ...(closed !== undefined && { status: closed ? ('closed' as const) : ('open' as const) }),
  }
  if (Object.keys(wanted).length === 0) throw validationFailed([{ field: '', message: nothing }])
  return changeMany(db, caller, threads, { ids, versions }, async (tx, rows) => {
    if (wanted.assignee_id !== undefined) await requireColleague(tx, 'assignee_id', wanted.assignee_id)
    return rows.map((before) => ({ before, after: { ...before, ...wanted } }))
  })
}

const nothing = {
  en: 'must change something: closed, unread, flag or assignee_id',
  fr: 'doit changer quelque chose : closed, unread, flag ou assignee_id',
}
