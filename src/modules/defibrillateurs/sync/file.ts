import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../platform/module.ts'
import { syncInProgress } from '../errors.ts'
import * as queries from './queries.ts'
import { insertReceived } from './received.ts'
import { readRegistry } from './registry/csv.ts'
import type { RegistryRow } from './registry/row.ts'
import { type Counts, finish, hold, takeFrance } from './run.ts'
import { SyncFailed } from './sync-failed.ts'
import type { Tally } from './tally.ts'

/** A sync of France from a file of the registry: the same rules, and it excludes the others as they do each other. */
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
    const message = error instanceof SyncFailed ? error.message : queries.interrupted
    // Where even this fails, the next one finds that nobody is at it.
    await queries.endSync(db, target.id, { error: message, counts: tally.counts }).catch(() => {})
    throw error
  }
}

/** The same in the transaction of the caller. The rows are in memory: for a few. */
export async function loadWithin(
  tx: Database,
  input: AsyncIterable<Uint8Array>,
  tally: Tally,
): Promise<Counts> {
  const target = await begin(tx, false)
  await hold(tx, target)
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
