import { loadFile } from '../../modules/defibrillateurs/sync/file.ts'
import { SyncFailed } from '../../modules/defibrillateurs/sync/sync-failed.ts'
import { createTally, type Tally } from '../../modules/defibrillateurs/sync/tally.ts'
import { StartError } from '../../platform/config/start-error.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { OnOwnConnection } from '../../platform/database/connections/own-connection.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Run } from '../run.ts'

/** Loads the whole Géo'DAE registry or nothing. Recorded as a sync: refused while another sync runs. */
export async function loadDefibrillateurs(
  db: Database,
  input: AsyncIterable<Uint8Array>,
  run: Run,
  { onOwnConnection, acceptFall }: { onOwnConnection: OnOwnConnection; acceptFall: boolean },
): Promise<void> {
  const tally = createTally()
  const received = watched(input, tally, run)
  const counts = await loadFile({ db, onOwnConnection }, received, tally, acceptFall).catch(explain)
  const { read, created, updated, returned, unchanged, absent } = counts
  Object.assign(run.counts, { read, created, updated: updated + returned, unchanged, removed: absent })
  for (const [reason, count] of Object.entries(counts.refused)) run.refuse(`${count} rows`, reason, count)
}

async function* watched(input: AsyncIterable<Uint8Array>, tally: Tally, run: Run) {
  for await (const piece of input) {
    yield piece
    run.counts.read = tally.counts.read
    run.step()
  }
}

function explain(error: unknown): never {
  if (error instanceof SyncFailed) throw new StartError(error.message)
  if (error instanceof ApiError && error.code === 'sync_in_progress') throw new StartError(error.message)
  throw error
}
