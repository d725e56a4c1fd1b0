import { analyzeTables } from '../../../../platform/database/analyze.ts'
import type { Database } from '../../../../platform/database/connect.ts'
import type { Deps } from '../../../../platform/module.ts'
import type { DownloadLimits } from '../download.ts'
import * as queries from '../queries.ts'
import { readFileInWorker } from '../registry/read-in-worker.ts'
import { fetchCommune } from '../registry/tabular-api.ts'
import { SyncFailed } from '../sync-failed.ts'
import type { Tally } from '../tally.ts'
import { type Counts, finish } from './finish.ts'
import { copyReceived, insertReceived } from './received.ts'

/** Imports the whole registry from any byte stream. */
export async function takeFrance(
  { onOwnConnection }: Pick<Deps, 'onOwnConnection'>,
  target: queries.Target,
  input: AsyncIterable<Uint8Array>,
  tally: Tally,
  signal: AbortSignal,
): Promise<Counts> {
  return onOwnConnection(signal, async (tx, client) => {
    await lockSync(tx, target)
    // Sorts and joins 200,000 rows in memory; only one national sync runs at a time. Rows just loaded have no
    // statistics, so the planner would assume few rows and use nested loops.
    await client.query("set local work_mem = '64MB'; set local enable_nestloop = off")
    await copyReceived(client, target.id, readFileInWorker(input, tally, signal))
    const counts = await finish(tx, target, { codes: null, isComplete: false }, tally)
    await analyzeTables(tx, ['defibrillateurs'])
    return counts
  })
}

/** Imports the devices of one commune. */
export async function takeCommune(
  db: Database,
  target: queries.Target & { commune_id: string },
  apiUrl: string,
  tally: Tally,
  options: { signal: AbortSignal; limits?: DownloadLimits },
): Promise<void> {
  const codes = await queries.listCodes(db, target.commune_id)
  const { rows, isComplete } = await fetchCommune(apiUrl, codes, { ...options, tally })
  await db.transaction().execute(async (tx) => {
    await lockSync(tx, target)
    for (let at = 0; at < rows.length; at += 1_000)
      await insertReceived(tx, target.id, rows.slice(at, at + 1_000))
    await finish(tx, target, { codes, isComplete }, tally)
  })
}

/** Locks the sync row, which marks it as running; throws if given up. */
export async function lockSync(tx: Database, { id }: queries.Target): Promise<void> {
  if (!(await queries.lockSync(tx, id))) throw new SyncFailed(queries.interrupted, { code: 'interrupted' })
}
