import type { Database } from '../../../platform/database/connect.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import type { Deps } from '../../../platform/module.ts'
import { tellAdministrators } from '../../users/administrators/jobs.ts'
import { findSourceForUpdate, type SourceChange, type SourceRow, updateSource } from '../queries.ts'
import type { Run } from '../schema.ts'
import { readBy } from '../sources/rules.ts'
import type { Download } from './download.ts'
import { insertLine, type RunUnderWay, endRun as writeEnd } from './queries.ts'

type Tools = Pick<Deps, 'db' | 'jobs'>
type Ended = {
  /** As it was when the run began. */
  source: SourceRow
  run: RunUnderWay
  /** Why the source could not be read to its end. */
  error: string | null
  downloaded: Download | null
}

/** A source that fails so often in a row is switched off, until somebody has looked at it. */
const mostFailures = 5

/** The end of a run, what it means for its source, and the mails that tell of it: all or nothing. */
export function endRun({ db, jobs }: Tools, ended: Ended): Promise<Run> {
  return inTransaction(db, async (tx) => {
    const run = await close(tx, ended)
    if (run.dry_run) return run
    const before = await findSourceForUpdate(tx, run.source_id)
    if (before === undefined) return run
    const failures = run.status === 'failed' ? before.failures + 1 : 0
    const change: SourceChange = { failures, ...validatorsOf(ended, before, run) }
    if (failures >= mostFailures && before.actif) {
      Object.assign(change, { actif: false, next_run_at: null, paused_reason: reasonOf(failures, run.error) })
      await tellAdministrators(tx, { jobs }, noticeOf(before, run))
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

/** Kept when all that was read was imported by the settings that are still those of the source. */
function validatorsOf({ downloaded, source }: Ended, now: SourceRow, { status }: Run): SourceChange {
  if (status !== 'succeeded' || downloaded === null) return {}
  if (JSON.stringify(readBy(source)) !== JSON.stringify(readBy(now))) return {}
  return { etag: downloaded.etag, last_modified: downloaded.last_modified }
}

const reasonOf = (failures: number, error: string | null) =>
  `Failed ${failures} times in a row. The last time: ${error}`

const noticeOf = ({ nom }: SourceRow, { id, error }: Run) => ({
  key: `import-paused-${id}`,
  subject: 'Une source d’import est suspendue',
  text: `La source d’import « ${nom} » a échoué ${mostFailures} fois de suite et ne sera plus lue.

Dernière erreur : ${error}

Corrigez-la puis réactivez-la dans l’administration.`,
})
