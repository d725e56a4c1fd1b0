import { type Handler, handle } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { runImport } from './queue.ts'
import { readingOf } from './reading.ts'
import { doRun, giveUpRun } from './rules.ts'

export function runHandler({ db, jobs, log, config }: Deps): Handler {
  const reading = readingOf(config)
  return handle(runImport, async ({ runId }, { signal, attempt }) => {
    try {
      await doRun({ db, jobs, log }, runId, { ...reading, signal })
    } catch (error) {
      if (signal.aborted || attempt <= runImport.settings.retries) throw error
      log.error({ err: error, run_id: runId }, 'an import failed for good')
      await giveUpRun({ db, jobs }, runId)
    }
  })
}
