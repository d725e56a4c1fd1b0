import Type from 'typebox'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { create } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { getSourceForUpdate } from '../queries.ts'
import { importRun } from '../record.ts'
import type { Run } from '../schema.ts'
import { insertRun } from './queries.ts'

export const runImport = defineJob('imports.run', Type.Object({ runId: Type.String() }), {
  retries: 3,
  timeoutSeconds: 1_800,
  concurrency: 2,
})

type Tools = Pick<Deps, 'db' | 'jobs'>

/** Requests a run of an active source; of two concurrent requests one gets 409. */
export function askForRun({ db, jobs }: Tools, caller: SignedIn, sourceId: string): Promise<Run> {
  return create(db, caller, importRun, { action: 'import_run.create' }, async (tx) => {
    const source = await getSourceForUpdate(tx, sourceId)
    if (!source.actif) throw conflict()
    return queueRun({ jobs }, tx, source.id)
  })
}

/** Creates the run and enqueues its job in one transaction. */
export async function queueRun({ jobs }: Pick<Deps, 'jobs'>, tx: Database, sourceId: string): Promise<Run> {
  const { attempts, lines_total, ...run } = await insertRun(tx, {
    id: uuidv7(),
    source_id: sourceId,
    dry_run: false,
    status: 'queued',
  })
  await jobs.enqueue(tx, runImport, { runId: run.id }, { singletonKey: run.id })
  return run
}
