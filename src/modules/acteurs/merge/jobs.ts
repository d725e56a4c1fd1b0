import Type from 'typebox'
import { operator } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import { enqueueLost } from '../../../platform/jobs/rows.ts'
import type { Merge } from '../../../platform/merging.ts'
import type { Deps } from '../../../platform/module.ts'
import { acteur } from '../record.ts'
import {
  endMerge,
  findTarget,
  listMerging,
  listReferences,
  moveMembers,
  moveRows,
  type Reference,
} from './queries.ts'

const text = Type.Union([Type.String(), Type.Null()])

/** Points everything that refers to a merged acteur to its target. */
export const mergeJob = defineJob(
  'acteurs.merge',
  Type.Object({ acteurId: Type.String(), userId: text, source: text, requestId: text }),
  { retries: 8, backoffSeconds: 5, timeoutSeconds: 3_600 },
)

type Tools = Pick<Deps, 'db' | 'config' | 'jobs' | 'modules'>

export function mergeHandler(tools: Tools & Pick<Deps, 'log'>): Handler {
  return handle(mergeJob, async ({ acteurId, userId, source, requestId }, { signal }) => {
    const author = {
      user: userId === null ? null : { id: userId },
      source: source === null ? null : { code: source },
    }
    const rows = await moveAll(tools, { id: acteurId, author: { ...author, requestId } }, signal)
    tools.log.info({ acteur_id: acteurId, rows }, 'acteur merged')
  })
}

const resume = defineJob('acteurs.resume-merges', Type.Object({}))
const most = 100

/** Resumes merges whose job was lost or gave up. */
export function resumeMergesHandler({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Handler {
  return handle(resume, async () => {
    const author = { userId: null, source: null, requestId: null }
    await enqueueLost({ db, jobs }, mergeJob, await listMerging(db, most), (acteurId) => ({
      acteurId,
      ...author,
    }))
  })
}

export const resumeMergesSchedule: Schedule = schedule(resume, '37 * * * *', {})

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
