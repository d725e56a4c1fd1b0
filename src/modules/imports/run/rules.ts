import type { Caller } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import { analyzeTables } from '../../../platform/database/analyze.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { Deps } from '../../../platform/module.ts'
import { getSourceForUpdate, type SourceRow, updateSource } from '../queries.ts'
import type { ReadItem } from '../readers/item.ts'
import type { ReadInput } from '../readers/read.ts'
import { ReadFailed } from '../readers/read-failed.ts'
import { importRun } from '../record.ts'
import type { Run } from '../schema.ts'
import { type Download, type Downloading, download } from './download.ts'
import { endRun } from './end.ts'
import { importItems, type Outcomes } from './import-items.ts'
import { beginRun, findRunUnderWay, insertRun, interrupted, type RunUnderWay } from './queries.ts'
import { exceedsUsualSize } from './unusual-size.ts'

type Tools = Pick<Deps, 'db' | 'jobs' | 'log'>
/** The functions that fetch and read a source. */
export type Reading = Downloading & {
  read: (input: ReadInput, signal: AbortSignal) => AsyncIterable<ReadItem[]>
}

/** Performs a dry run, even of an inactive source. */
export async function tryImport(
  { db, jobs, log }: Tools,
  caller: Caller,
  sourceId: string,
  tools: Reading,
): Promise<Run & Outcomes> {
  const [source, run] = await db.transaction().execute(async (tx) => {
    const source = await getSourceForUpdate(tx, sourceId)
    const values = { id: uuidv7(), source_id: sourceId, dry_run: true, status: 'running' as const }
    const run = await insertRun(tx, values)
    const { attempts, lines_total, ...after } = run
    const change = { action: 'import_run.create', kind: importRun, entityId: run.id }
    await append(tx, caller, { ...change, after })
    return [source, run]
  })
  try {
    return await performRun({ db, jobs, log }, source, run, tools)
  } catch (error) {
    await endRun({ db, jobs }, { source, run, error: interrupted, downloaded: null })
    throw error
  }
}

/** Makes one attempt at a requested run; does nothing when it is finished. */
export async function doRun({ db, jobs, log }: Tools, runId: string, tools: Reading): Promise<void> {
  const begun = await db.transaction().execute(async (tx) => {
    const run = await beginRun(tx, runId)
    return run === undefined ? null : { run, source: await getSourceForUpdate(tx, run.source_id) }
  })
  if (begun === null) return
  const { run, source } = begun
  if (run.attempts > maxAttempts)
    await endRun({ db, jobs }, { source, run, error: interrupted, downloaded: null })
  else {
    const { created, updated } = await performRun({ db, jobs, log }, source, run, tools)
    if (created + updated >= manyChanges)
      await analyzeTables(db, ['publications', 'publication_communes', 'publication_listings'])
  }
}

/** From this many on, the statistics of publications no longer describe them. */
const manyChanges = 1_000

/** Gives up a run after this many unfinished attempts: the run itself may crash the process. */
const maxAttempts = 5

/** Ends a run that no worker will resume. */
export async function giveUpRun({ db, jobs }: Pick<Tools, 'db' | 'jobs'>, runId: string): Promise<void> {
  const run = await findRunUnderWay(db, runId)
  if (run === undefined) return
  const source = await getSourceForUpdate(db, run.source_id)
  await endRun({ db, jobs }, { source, run, error: interrupted, downloaded: null })
}

/**
 * Fetches, imports and ends a run. An error of the source ends the run as failed; our own errors are thrown,
 * and the run is retried.
 */
async function performRun(
  { db, jobs, log }: Tools,
  source: SourceRow,
  run: RunUnderWay,
  { read, ...downloading }: Reading,
): Promise<Run & Outcomes> {
  let outcomes: Outcomes = { items: [], shared_address: null }
  let downloaded: Download | null = null
  let error: string | null = null
  try {
    if (!run.dry_run && !source.actif) throw new ReadFailed('The source is switched off.')
    downloaded = await download(source, downloading)
    if (downloaded !== null) {
      // Clears the validators: from the first item on, they no longer describe what was imported.
      if (!run.dry_run) await updateSource(db, source.id, { etag: null, last_modified: null })
      const { type, mapping } = source
      const input = { type, mapping, url: downloaded.url, parts: downloaded.parts, now: run.started_at }
      const readAll = () => read(input, downloading.signal)
      const isHeld = await exceedsUsualSize(db, source, run, readAll())
      outcomes = await importItems(db, { source, run, isHeld, batches: readAll() })
    }
  } catch (thrown) {
    // The guarded fetch reports an abort in its own words; the reason of the signal says why.
    const failure = downloading.signal.aborted ? downloading.signal.reason : thrown
    if (!(failure instanceof ReadFailed)) throw failure
    error = failure.message
    if (failure.cause !== undefined) log.error({ err: failure.cause, run_id: run.id }, 'a feed reader failed')
  }
  const ended = await endRun({ db, jobs }, { source, run, error, downloaded })
  if (ended.held > 0 && !run.dry_run)
    log.warn(
      { run_id: run.id, import_source_id: source.id, held: ended.held },
      'a large import waits for a decision',
    )
  return { ...ended, ...outcomes }
}
