import type { SignedIn } from '../../../platform/access/caller.ts'
import { change, type RecordKind } from '../../../platform/change.ts'
import { conflict } from '../../../platform/errors.ts'
import type { Deps } from '../../../platform/module.ts'
import { countSelected } from '../bulk-decisions.ts'
import { importRun } from '../record.ts'
import { type HeldDecision, runActions } from '../schema.ts'
import { decideHeldJob } from './jobs.ts'
import { getRunForUpdate, type HeldRun, held, updateRun } from './queries.ts'
import type { HeldDecided } from './schema.ts'

const heldRun = {
  ...importRun,
  lock: getRunForUpdate,
  write: (tx, { id }, values) => updateRun(tx, id, values),
  auditedValues: ({ held_decision }) => ({ held_decision }),
} satisfies RecordKind<HeldRun>

type Decided = { decision: HeldDecision; reason: string | null }

/** Decides once about all publications that a run held back, in the background; then 409. */
export async function decideHeld(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: SignedIn,
  id: string,
  { decision, reason }: Decided,
  now: Date,
): Promise<HeldDecided> {
  let publications = 0
  const action = decision === 'accepted' ? 'import_run.accept' : 'import_run.refuse'
  const wanted = { id, action, read: async () => ({ id, publications }) }
  return change(db, caller, heldRun, wanted, async (tx, run, note) => {
    if (!runActions.accept(run) || run.finished_at === null) throw conflict()
    // The end of a run is cut to the millisecond, and the times of its publications are rounded.
    const until = new Date(run.finished_at.getTime() + 1).toISOString()
    const ofRun = { sourceId: run.source_id, since: run.started_at.toISOString(), until }
    publications = await countSelected(tx, held(ofRun))
    note({ publications })
    const by = { userId: caller.user.id, requestId: caller.requestId }
    await jobs.enqueue(tx, decideHeldJob, { ...ofRun, ...by, decision, reason })
    return { held_decision: decision, held_decided_at: now }
  })
}
