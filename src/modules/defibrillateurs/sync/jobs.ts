import Type from 'typebox'
import { settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Handler } from '../../../platform/jobs/job.ts'
import { handleRow } from '../../../platform/jobs/rows.ts'
import type { Deps } from '../../../platform/module.ts'
import { defibrillateursSettings } from '../settings.ts'
import { type DownloadLimits, withDownload } from './download.ts'
import * as queries from './queries.ts'
import { endSync } from './queries.ts'
import { SyncFailed } from './sync-failed.ts'
import { takeCommune, takeFrance } from './take/take.ts'
import { createTally, type Tally } from './tally.ts'

/**
 * The timeout exceeds that of any download. A dead worker is detected by its missing heartbeat, and another
 * worker starts over.
 */
export const syncJob = defineJob('defibrillateurs.sync', Type.Object({ syncId: Type.String() }), {
  retries: 3,
  backoffSeconds: 15,
  timeoutSeconds: 1_800,
  concurrency: 2,
})

const internal = new SyncFailed('Something went wrong on our side.', { code: 'internal' })

type Tools = Pick<Deps, 'db' | 'onOwnConnection' | 'config' | 'log'>

export function syncHandler(deps: Tools): Handler {
  return handleRow(syncJob, {
    attempt: ({ syncId }, { signal }) => runSync(deps, syncId, { signal }),
    async giveUp({ syncId }, error) {
      // Otherwise this sync would block the next one forever.
      await endSync(deps.db, syncId, { failed: internal, counts: {} })
      throw error
    },
  })
}

type SyncDeps = Pick<Deps, 'db' | 'onOwnConnection' | 'config'>
type Options = { signal: AbortSignal; limits?: DownloadLimits }

/**
 * Runs a sync atomically. Another worker may retry it if this one dies: a finished sync is skipped, and a
 * running one holds a row lock. Records failures caused by the registry; other errors are thrown and the job
 * is retried.
 */
export async function runSync(deps: SyncDeps, syncId: string, options: Options): Promise<void> {
  const { csvUrl, apiUrl } = settingsOf(deps.config, defibrillateursSettings)
  const target = await queries.startSync(deps.db, syncId)
  if (target === null) return
  const tally = createTally()
  const progress = reportProgress(deps.db, syncId, tally)
  await recordingFailure(deps.db, syncId, tally, () =>
    target.commune_id === null
      ? withDownload(csvUrl, options, (body) => takeFrance(deps, target, body, tally, options.signal))
      : takeCommune(deps.db, { ...target, commune_id: target.commune_id }, apiUrl, tally, options),
  ).finally(progress.stop)
}

const progressMs = 1_000

/** Stores once a second what was read. Apart from the sync's transaction, which shows nothing until its end. */
function reportProgress(db: Database, syncId: string, { counts }: Tally) {
  let stored = -1
  let storing = Promise.resolve()
  const store = () => {
    if (counts.read === stored) return
    stored = counts.read
    // Only shown to people: a sync does not fail for it.
    storing = storing.then(() => queries.storeProgress(db, syncId, counts.read)).catch(() => {})
  }
  const timer = setInterval(store, progressMs)
  return {
    async stop() {
      clearInterval(timer)
      await storing
    },
  }
}

async function recordingFailure(
  db: Database,
  syncId: string,
  { counts }: Tally,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof SyncFailed)) throw error
    await queries.endSync(db, syncId, { failed: error, counts })
  }
}
