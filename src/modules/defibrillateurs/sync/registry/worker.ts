import { PassThrough } from 'node:stream'
import { workerData } from 'node:worker_threads'
import { handleRequests } from '../../../../platform/thread.ts'
import { SyncFailed } from '../sync-failed.ts'
import { createTally } from '../tally.ts'
import { readRegistry } from './csv.ts'
import { readPage } from './page.ts'
import type { ParsedPage, Question, Source } from './read-in-worker.ts'
import type { RegistryRow } from './row.ts'

/** Runs in its own thread: reads the chunks of a CSV file, or the pages of the tabular API. */
const tally = createTally()
const { counts } = tally
const answers: Record<Source, (question: Question) => Promise<ParsedPage>> = {
  csv: readPieces(),
  api: async (body) => ({ counts, ...readPage(body ?? new Uint8Array(), tally) }),
}

handleRequests(answers[workerData as Source], (error) => (error instanceof SyncFailed ? error.message : null))

/** Returns the rows that each chunk completes; at the end, the last ones. */
function readPieces() {
  const input = new PassThrough()
  let rows: RegistryRow[] = []
  const finished = readRegistry(input, tally, async (found) => {
    for await (const row of found) rows.push(row)
  })
  // May fail between two requests: the next request rejects.
  finished.catch(() => {})
  return async (piece: Question): Promise<ParsedPage> => {
    if (piece === null) {
      input.end()
      await finished
    } else await Promise.race([finished, new Promise((resolve) => input.write(piece, resolve))])
    const read = { counts, rows, next: null, total: null }
    rows = []
    return read
  }
}
