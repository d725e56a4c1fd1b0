import { settingsOf } from '../../../platform/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../platform/module.ts'
import { defibrillateursSettings } from '../settings.ts'
import { type DownloadLimits, withDownload } from './download.ts'
import { countBefore, dropReceived, findSharedPoints, merge } from './merge.ts'
import * as queries from './queries.ts'
import { copyReceived, insertReceived } from './received.ts'
import { readRegistry } from './registry/csv.ts'
import { fetchCommune } from './registry/tabular-api.ts'
import { SyncFailed } from './sync-failed.ts'
import { createTally, type Tally } from './tally.ts'

export type SyncDeps = Pick<Deps, 'db' | 'onOwnConnection' | 'config'>
type Options = { signal: AbortSignal; limits?: DownloadLimits }

/**
 * Does a sync, all or nothing. It may be done again by another worker when this one dies: what ended is left alone, and
 * whoever is at work holds the row. What fails for a reason of the registry's is kept as failed; all else is thrown, to
 * be tried again.
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

/** All of the registry, from wherever its bytes come. */
export async function takeFrance(
  { onOwnConnection }: Pick<SyncDeps, 'onOwnConnection'>,
  target: queries.Target,
  input: AsyncIterable<Uint8Array>,
  tally: Tally,
  signal: AbortSignal,
): Promise<Counts> {
  return onOwnConnection(signal, async (tx, client) => {
    await hold(tx, target)
    // For the one sync of France that there can be: two hundred thousand rows are sorted and joined in memory.
    // Nothing is known of rows that just came: taken for few, each would be looked for in all others, one by one.
    await client.query("set local work_mem = '64MB'; set local enable_nestloop = off")
    await readRegistry(input, tally, (rows) => copyReceived(client, target.id, rows))
    return finish(tx, target, { codes: null, isComplete: false }, tally)
  })
}

async function takeCommune(
  db: Database,
  target: queries.Target & { commune_id: string },
  apiUrl: string,
  tally: Tally,
  options: Options,
): Promise<void> {
  const codes = await queries.listCodes(db, target.commune_id)
  const { rows, isComplete } = await fetchCommune(apiUrl, codes, { ...options, tally })
  await db.transaction().execute(async (tx) => {
    await hold(tx, target)
    for (let at = 0; at < rows.length; at += 1_000)
      await insertReceived(tx, target.id, rows.slice(at, at + 1_000))
    await finish(tx, target, { codes, isComplete }, tally)
  })
}

/** What is held is at work. */
export async function hold(tx: Database, { id }: queries.Target): Promise<void> {
  if (!(await queries.holdSync(tx, id))) throw new SyncFailed(queries.interrupted)
}

type Received = {
  /** Those of the registry that were asked for; null: all. */
  codes: string[] | null
  isComplete: boolean
}
export type Counts = Awaited<ReturnType<typeof finish>>

/** From what was received to the catalogue, in the transaction that received it. */
export async function finish(tx: Database, target: queries.Target, received: Received, tally: Tally) {
  if (!target.accept_fall) await refuseFall(tx, target.id, received)
  const counts = await mergeReceived(tx, target.id, received.codes, tally)
  await queries.endSync(tx, target.id, { error: null, counts })
  await queries.forgetOldSyncs(tx, target.commune_id)
  return counts
}

/** Merges what was received under this id, and answers what came of it. */
export async function mergeReceived(tx: Database, syncId: string, codes: string[] | null, tally: Tally) {
  if (codes === null) await findSharedPoints(tx, syncId)
  const { doubled, shared_point, code_by_alias, code_by_name, code_unknown, ...merged } = await merge(
    tx,
    syncId,
    codes,
  )
  await dropReceived(tx, syncId)
  const { read, refused, cleaned } = tally.counts
  const { received, created, updated, returned } = merged
  return {
    read,
    ...merged,
    unchanged: received - created - updated - returned,
    refused: { ...refused, ...present({ doubled }) },
    cleaned: { ...cleaned, ...present({ shared_point, code_by_alias, code_by_name, code_unknown }) },
  }
}

const present = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

/**
 * A registry does not lose more than half of its devices: a download is broken. Of fewer than twenty this can be, and is
 * believed where the registry says itself that this is all.
 */
async function refuseFall(tx: Database, syncId: string, { codes, isComplete }: Received): Promise<void> {
  const { received, present } = await countBefore(tx, syncId, codes)
  if (codes === null && received === 0) throw new SyncFailed('The file holds no defibrillator.')
  if (received * 2 >= present || (codes !== null && isComplete && present < 20)) return
  throw new SyncFailed(
    `The registry has ${received} of what were ${present}: more than half are gone. If that is so, ask with accept_fall=true, or load with --accept-fall.`,
  )
}
