import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../platform/access/caller.ts'
import { changeMany, entryPerField } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { validationFailed } from '../../platform/errors.ts'
import { BulkResults, bulkIds, bulkVersions } from '../../platform/http/bulk.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { Id, nullable, oneOf, strictObject } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { requireColleague } from './assigning.ts'
import type { ThreadRow } from './queries.ts'
import { thread } from './record.ts'
import { flags, Thread } from './schema.ts'

const BulkChange = strictObject(
  {
    ...bulkIds,
    closed: Type.Optional(Type.Boolean({ description: '`false` opens them again', examples: [true] })),
    unread: Type.Optional(Type.Boolean({ examples: [false] })),
    flag: Type.Optional(nullable(oneOf(flags))),
    assignee_id: Type.Optional(nullable(Id('The colleague who handles them; null: nobody'))),
    ...bulkVersions,
  },
  { examples: [{ ids: ['0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e'], closed: true }] },
)
type BulkChange = Static<typeof BulkChange>

const state = Type.Pick(Thread, ['status', 'unread', 'flag', 'assignee_id'])

const BulkAnswer = BulkResults(
  { result: 'SupportThreadBulkResult', answer: 'SupportThreadBulkAnswer' },
  Type.Object(state.properties, { description: 'What it was before this change, so that it can be undone' }),
)
type BulkAnswer = Static<typeof BulkAnswer>

export function bulkRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.patch(
    '/admin/messages/threads/bulk',
    {
      config: { audits: 'thread.close, thread.read, thread.unread, thread.flag, thread.assign' },
      schema: {
        operationId: 'changeSupportThreads',
        summary: 'The same changes of up to a hundred support threads, all or nothing',
        body: BulkChange,
        response: { 200: BulkAnswer },
      },
    },
    async ({ body, caller }) => changeBulk(db, caller, body),
  )
}

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
async function changeBulk(
  db: Database,
  caller: SignedIn,
  { ids, versions, closed, ...rest }: BulkChange,
): Promise<BulkAnswer> {
  const wanted: Partial<State> = {
    ...rest,
    ...(closed !== undefined && { status: closed ? ('closed' as const) : ('open' as const) }),
  }
  if (Object.keys(wanted).length === 0) throw validationFailed([{ field: '', message: nothing }])
  return changeMany(db, caller, threads, { ids, versions }, async (tx, rows, save) => {
    if (wanted.assignee_id !== undefined) await requireColleague(tx, 'assignee_id', wanted.assignee_id)
    return (await save(rows.map((before) => ({ before, after: { ...before, ...wanted } })))).results
  })
}

const nothing = {
  en: 'must change something: closed, unread, flag or assignee_id',
  fr: 'doit changer quelque chose : closed, unread, flag ou assignee_id',
}

/** The fields that a bulk change reads and writes. */
type State = Pick<ThreadRow, 'status' | 'unread' | 'flag' | 'assignee_id'>
type StateRow = State & Pick<ThreadRow, 'id' | 'version'>

/** Locks threads by id, so that two concurrent calls wait for each other instead of deadlocking. */
async function listForUpdate(tx: Database, ids: string[]): Promise<StateRow[]> {
  const { rows } = await sql<StateRow>`
    select id, version, status, unread, flag, assignee_id
    from support_threads where id = any(${ids}::uuid[]) order by id for no key update`.execute(tx)
  return rows
}

/** Updates the state of all these threads in one statement. */
async function updateStates(tx: Database, rows: StateRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update support_threads t set status = s.status, unread = s.unread, flag = s.flag, assignee_id = s.assignee_id,
      closed_at = case when s.status = 'closed' then coalesce(t.closed_at, now()) end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (
      id uuid, status text, unread boolean, flag text, assignee_id uuid)
    where t.id = s.id`.execute(tx)
}
