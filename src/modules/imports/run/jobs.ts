import type { Handler } from '../../../platform/jobs/job.ts'
import { handleRow } from '../../../platform/jobs/rows.ts'
import type { Deps } from '../../../platform/module.ts'
import { runImport } from './queue.ts'
import { readingOf } from './reading.ts'
import { doRun, giveUpRun } from './rules.ts'

export function runHandler({ db, jobs, log, config }: Deps): Handler {
  const reading = readingOf(config)
  return handleRow(runImport, {
    attempt: ({ runId }, { signal }) => doRun({ db, jobs, log }, runId, { ...reading, signal }),
    async giveUp({ runId }, error) {
      log.error({ err: error, run_id: runId }, 'an import failed for good')
      await giveUpRun({ db, jobs }, runId)
    },
  })
}
