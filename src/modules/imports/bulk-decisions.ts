import { type RawBuilder, sql } from 'kysely'
import { operator, type SignedIn } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import type { Deps } from '../../platform/module.ts'
import { decideImported } from '../publications/importing/rules.ts'

/** Names of the jobs that decide publications of a source in the background. They find them by its items. */
export const decidingJobs = { withdraw: 'imports.withdraw', held: 'imports.decide-held' } as const

/** A selection of `import_items i` and their `publications p`, from the `from` clause on. */
export type Selection = RawBuilder<unknown>

export async function countSelected(db: Database, selection: Selection): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${selection}`.execute(db)
  return rows[0]?.count ?? 0
}

type Selected = { external_id: string; id: string }

/** Lists the next publications after an item, ordered by item. */
async function listSelected(db: Database, selection: Selection, after: string): Promise<Selected[]> {
  const { rows } = await sql<Selected>`
    select i.external_id, p.id from ${selection} and i.external_id > ${after}
    order by i.external_id limit ${batch}`.execute(unprepared(db))
  return rows
}

/** The size of one bulk decision. Each batch commits separately, so that other work can run in between. */
const batch = 100

type Decision = { moderation_status: 'published' | 'rejected'; reason: string | null }

/** Decides the selected publications on behalf of a colleague. A retry continues with the rest. */
export async function decideSelected(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  selection: Selection,
  { userId, requestId }: { userId: string; requestId: string | null },
  decision: Decision,
  signal: AbortSignal,
): Promise<number> {
  const caller: SignedIn = { ...operator, user: { id: userId, roles: [], memberships: [] }, requestId }
  let publications = 0
  for (let after = ''; ; ) {
    signal.throwIfAborted()
    const rows = await listSelected(db, selection, after)
    const last = rows.at(-1)
    if (last === undefined) return publications
    const ids = rows.map(({ id }) => id)
    publications += await decideImported({ db, jobs }, caller, { ids, ...decision })
    after = last.external_id
  }
}
