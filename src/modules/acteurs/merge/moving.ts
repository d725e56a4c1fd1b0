import { operator } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Merge } from '../../../platform/merging.ts'
import type { Deps } from '../../../platform/module.ts'
import { acteur } from '../record.ts'
import { endMerge, findTarget, listReferences, moveMembers, moveRows, type Reference } from './queries.ts'

type Tools = Pick<Deps, 'db' | 'config' | 'jobs' | 'modules'>
type Moved = { id: string; author: Merge['author'] }

/**
 * Points everything that refers to a merged acteur to its target, one transaction per batch, and ends the
 * merge. Batches are independent: the work resumes after a crash, and two concurrent workers are harmless.
 * Returns the number of changed rows.
 */
export async function moveAll(tools: Tools, moved: Moved, signal: AbortSignal, batch = 200): Promise<number> {
  const references = await listReferences(tools.db)
  for (let count = 0; ; ) {
    signal.throwIfAborted()
    const moves = await tools.db
      .transaction()
      .execute((tx) => moveBatch(tx, tools, moved, { references, batch }))
    if (moves === 0) return count
    count += moves
  }
}

/** Moves one batch of the first table that has rows left. Returns 0 when the merge has ended. */
async function moveBatch(
  tx: Database,
  tools: Tools,
  { id, author }: Moved,
  { references, batch }: { references: Reference[]; batch: number },
): Promise<number> {
  const into = await findTarget(tx, id)
  if (into === null) return 0
  const merge = { from: id, into, author }
  const moves = [
    ...tools.modules
      .flatMap(({ movesOnMerge = [] }) => movesOnMerge)
      .map((move) => () => move(tx, tools, merge, batch)),
    async () => (await moveMembers(tx, id, into)).length,
    ...references
      .filter(({ table }) => table !== 'actor_users')
      .map((reference) => () => moveRows(tx, reference, merge, batch)),
  ]
  for (const move of moves) {
    const count = await move()
    if (count > 0) return count
  }
  if (await endMerge(tx, id)) {
    const ended = { kind: acteur, entityId: id, before: { state: 'merging' }, after: { state: 'merged' } }
    await append(tx, operator, { action: 'acteur.merge_end', ...ended })
  }
  return 0
}
