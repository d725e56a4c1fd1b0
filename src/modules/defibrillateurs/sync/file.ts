import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../platform/module.ts'
import { syncInProgress } from '../errors.ts'
import * as queries from './queries.ts'
import { readRegistry } from './registry/csv.ts'
import type { RegistryRow } from './registry/row.ts'
import { SyncFailed } from './sync-failed.ts'
import { type Counts, finish } from './take/finish.ts'
import { insertReceived } from './take/received.ts'
import { lockSync, takeFrance } from './take/take.ts'
import type { Tally } from './tally.ts'

/** Syncs France from a registry file, with the rules and mutual exclusion of a normal sync. */
export async function loadFile(
  deps: Pick<Deps, 'db' | 'onOwnConnection'>,
  input: AsyncIterable<Uint8Array>,
  tally: Tally,
  acceptFall = false,
): Promise<Counts> {
  const { db } = deps
  const target = await db.transaction().execute((tx) => begin(tx, acceptFall))
  try {
    return await takeFrance(deps, target, input, tally, new AbortController().signal)
  } catch (error) {
    const failed =
      error instanceof SyncFailed ? error : new SyncFailed(queries.interrupted, { code: 'interrupted' })
    // If this fails too, the next sync detects that this one has no worker and ends it.
    await queries.endSync(db, target.id, { failed, counts: tally.counts }).catch(() => {})
    throw error
  }
}

/** Syncs France from a small file in the caller's transaction, with all rows in memory. */
export async function loadWithin(
  tx: Database,
  input: AsyncIterable<Uint8Array>,
  tally: Tally,
): Promise<Counts> {
  const target = await begin(tx, false)
  await lockSync(tx, target)
  await readRegistry(input, tally, async (rows) => {
    const few: RegistryRow[] = []
    for await (const row of rows) few.push(row)
    await insertReceived(tx, target.id, few)
  })
  return finish(tx, target, { codes: null, isComplete: true }, tally)
}

async function begin(tx: Database, acceptFall: boolean): Promise<queries.Target> {
  await queries.giveUpLostSyncs(tx)
  const sync = await queries.insertSync(tx, { communeId: null, source: 'fichier', acceptFall })
  const target = sync && (await queries.startSync(tx, sync.id))
  if (target === null) throw syncInProgress()
  return target
}
