import type { Caller } from '../../../platform/access/caller.ts'
import { recordAudit } from '../../../platform/audit/record.ts'
import type { Deps } from '../../../platform/module.ts'
import { uuidv7 } from '../../../platform/uuid.ts'
import { getSourceForUpdate, type SourceRow, updateSource } from '../queries.ts'
import type { ReadItem } from '../readers/item.ts'
import type { ReadInput } from '../readers/read.ts'
import { ReadFailed } from '../readers/read-failed.ts'
import { importRun } from '../record.ts'
import type { Run } from '../schema.ts'
import { type Download, type Downloading, download } from './download.ts'
import { endRun } from './end.ts'
import { importItems, type Outcome } from './import-items.ts'
import { beginRun, findRunUnderWay, insertRun, interrupted, type RunUnderWay } from './queries.ts'

type Tools = Pick<Deps, 'db' | 'jobs' | 'log'>
/** How a source is fetched and read. */
export type Reading = Downloading & {
  read: (input: ReadInput, signal: AbortSignal) => AsyncIterable<ReadItem[]>
}

/** Shows what a run would do, of an inactive source too. */
export async function tryImport(
  { db, jobs, log }: Tools,
  caller: Caller,
  sourceId: string,
  tools: Reading,
): Promise<Run & { items: Outcome[] }> {
  const [source, run] = await db.transaction().execute(async (tx) => {
    const source = await getSourceForUpdate(tx, sourceId)
    const values = { id: uuidv7(), source_id: sourceId, dry_run: true, status: 'running' as const }
    const run = await insertRun(tx, values)
    const { attempts, lines_total, ...after } = run
    const change = { action: 'import_run.create', kind: importRun, entityId: run.id }
    await recordAudit(tx, caller, { ...change, before: null, after })
    return [source, run]
  })
  try {
    return await performRun({ db, jobs, log }, source, run, tools)
  } catch (error) {
    await endRun({ db, jobs }, { source, run, error: interrupted, downloaded: null })
    throw error
  }
}

/** One attempt at a run that was asked for; nothing where it is finished. */
export async function doRun({ db, jobs, log }: Tools, runId: string, tools: Reading): Promise<void> {
  const begun = await db.transaction().execute(async (tx) => {
    const run = await beginRun(tx, runId)
    return run === undefined ? null : { run, source: await getSourceForUpdate(tx, run.source_id) }
  })
  if (begun === null) return
  const { run, source } = begun
  if (run.attempts > mostAttempts)
    await endRun({ db, jobs }, { source, run, error: interrupted, downloaded: null })
  else await performRun({ db, jobs, log }, source, run, tools)
}

/** What is begun so often and never ended is not begun again: it may be what ends the process each time. */
const mostAttempts = 5

/** Ends a run that nobody will take up again. */
export async function giveUpRun({ db, jobs }: Pick<Tools, 'db' | 'jobs'>, runId: string): Promise<void> {
  const run = await findRunUnderWay(db, runId)
  if (run === undefined) return
  const source = await getSourceForUpdate(db, run.source_id)
  await endRun({ db, jobs }, { source, run, error: interrupted, downloaded: null })
}

/**
 * Fetches, imports and ends a run. What is wrong with the source ends it as failed; what is wrong here is thrown, and the
 * run stays to be taken up again.
 */
async function performRun(
  { db, jobs, log }: Tools,
  source: SourceRow,
  run: RunUnderWay,
  { read, ...downloading }: Reading,
): Promise<Run & { items: Outcome[] }> {
  let items: Outcome[] = []
  let downloaded: Download | null = null
  let error: string | null = null
  try {
    if (!run.dry_run && !source.actif) throw new ReadFailed('The source is switched off.')
    downloaded = await download(source, downloading)
    if (downloaded !== null) {
      // From its first item on the source is no longer as it was when they were noted.
      if (!run.dry_run) await updateSource(db, source.id, { etag: null, last_modified: null })
      const { type, mapping } = source
      const input = { type, mapping, url: downloaded.url, parts: downloaded.parts, now: run.started_at }
      items = await importItems(db, { source, run, batches: read(input, downloading.signal) })
    }
  } catch (failure) {
    if (!(failure instanceof ReadFailed)) throw failure
    error = failure.message
    if (failure.cause !== undefined)
      log.error({ err: failure.cause, run_id: run.id }, 'a reader stumbled over what a source says')
  }
  const ended = await endRun({ db, jobs }, { source, run, error, downloaded })
  return { ...ended, items }
}
