import type { Database } from '../../../platform/database/connect.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import type { Deps } from '../../../platform/module.ts'
import { notifyAdministrators } from '../../users/administrators.ts'
import { findSourceForUpdate, type SourceChange, type SourceRow, updateSource } from '../queries.ts'
import type { Run } from '../schema.ts'
import { readBy } from '../sources/rules.ts'
import type { Download } from './download.ts'
import { heldNotice, pausedNotice } from './mail.ts'
import { insertLine, type RunUnderWay, endRun as writeEnd } from './queries.ts'
import { heldReason } from './unusual-size.ts'

type Tools = Pick<Deps, 'db' | 'jobs'>
type Ended = {
  /** The source as of the start of the run. */
  source: SourceRow
  run: RunUnderWay
  /** Why the source could not be read completely. */
  error: string | null
  downloaded: Download | null
}

/** Pauses a source after this many consecutive failures, until an administrator reactivates it. */
const maxFailures = 5

/** Ends a run, updates its source and enqueues notification mails, in one transaction. */
export function endRun({ db, jobs }: Tools, ended: Ended): Promise<Run> {
  return inTransaction(db, async (tx) => {
    const run = await close(tx, ended)
    if (run.dry_run) return run
    if (run.held > 0) {
      await insertLine(tx, run, `${run.held} new publications wait for a decision: ${heldReason}`, 'warning')
      await notifyAdministrators(tx, { jobs }, heldNotice(ended.source, run))
    }
    const before = await findSourceForUpdate(tx, run.source_id)
    if (before === undefined) return run
    const failures = run.status === 'failed' ? before.failures + 1 : 0
    const change: SourceChange = { failures, ...validatorsOf(ended, before, run) }
    if (failures >= maxFailures && before.actif) {
      Object.assign(change, { actif: false, next_run_at: null, paused_reason: reasonOf(failures, run.error) })
      await notifyAdministrators(tx, { jobs }, pausedNotice(before, run, maxFailures))
    }
    await updateSource(tx, before.id, change)
    return run
  })
}

async function close(tx: Database, { run, error }: Ended): Promise<Run> {
  if (error !== null && !run.dry_run) await insertLine(tx, run, error)
  const closed = await writeEnd(tx, run, { error })
  if (closed === undefined) throw new Error('the run was taken over')
  return closed
}

/** Stores validators only after a complete import with settings that are still current. */
function validatorsOf({ downloaded, source }: Ended, now: SourceRow, { status }: Run): SourceChange {
  if (status !== 'succeeded' || downloaded === null) return {}
  if (JSON.stringify(readBy(source)) !== JSON.stringify(readBy(now))) return {}
  return { etag: downloaded.etag, last_modified: downloaded.last_modified }
}

const reasonOf = (failures: number, error: string | null) =>
  `Failed ${failures} times in a row. The last time: ${error}`
