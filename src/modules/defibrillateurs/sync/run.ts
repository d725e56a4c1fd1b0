import { settingsOf } from '../../../platform/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../platform/module.ts'
import { defibrillateursSettings } from '../settings.ts'
import { type DownloadLimits, withDownload } from './download.ts'
import * as queries from './queries.ts'
import { SyncFailed } from './sync-failed.ts'
import { takeCommune, takeFrance } from './take/take.ts'
import { createTally, type Tally } from './tally.ts'

export type SyncDeps = Pick<Deps, 'db' | 'onOwnConnection' | 'config'>
type Options = { signal: AbortSignal; limits?: DownloadLimits }

/**
 * Runs a sync, all or nothing. Another worker may repeat it when this one dies: a finished sync is left alone, and a
 * running one holds a row lock. Failures caused by the registry are recorded; everything else is thrown and retried.
 */
export async function runSync(deps: SyncDeps, syncId: string, options: Options): Promise<void> {
  const { csvUrl, apiUrl } = settingsOf(deps.config, defibrillateursSettings)
  const target = await queries.startSync(deps.db, syncId)
  if (target === null) return
  const tally = createTally()
  await recordingFailure(deps.db, syncId, tally, () =>
    target.commune_id === null
      ? withDownload(csvUrl, options, (body) => takeFrance(deps, target, body, tally, options.signal))
      : takeCommune(deps.db, { ...target, commune_id: target.commune_id }, apiUrl, tally, options),
  )
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
    await queries.endSync(db, syncId, { error: error.message, counts })
  }
}
