import { startThread, type Thread } from '../../../../platform/thread.ts'
import { SyncFailed } from '../sync-failed.ts'
import type { Tally } from '../tally.ts'
import type { Page } from './page.ts'
import type { RegistryRow } from './row.ts'

/** A CSV file, or the pages of the tabular API. */
export type Source = 'csv' | 'api'
/** A chunk of the file or a whole page; null at the end of the file. */
export type Question = Uint8Array | null
/** The rows read since the last request, and the counts so far. */
export type ParsedPage = Page & { counts: Tally['counts'] }

const limits = { timeoutMs: 60_000, maxHeapMb: 256 }

/**
 * Starts a thread that reads the registry, so that a row that is slow to clean delays no HTTP request. `ask`
 * updates the tally.
 */
export function readInWorker(
  source: Source,
  tally: Tally,
  signal: AbortSignal,
): Thread<Question, ParsedPage> {
  const thread = startThread<Question, ParsedPage>(new URL('./worker.ts', import.meta.url), {
    input: source,
    limits,
    signal,
    fail: (sentence, cause) =>
      new SyncFailed(sentence.replace(/^It /, 'The response of the registry '), { cause }),
  })
  async function request(question: Question): Promise<ParsedPage> {
    const read = await thread.request(question)
    Object.assign(tally.counts, read.counts)
    return read
  }
  return { request, end: thread.end }
}

/** Yields the rows of a CSV file, which a thread reads as its chunks arrive. */
export async function* readFileInWorker(
  input: AsyncIterable<Uint8Array>,
  tally: Tally,
  signal: AbortSignal,
): AsyncGenerator<RegistryRow> {
  const thread = readInWorker('csv', tally, signal)
  try {
    for await (const piece of gathered(input)) yield* (await thread.request(piece)).rows
    yield* (await thread.request(null)).rows
  } finally {
    await thread.end()
  }
}

const pieceBytes = 262_144

/** Joins small chunks: a request to the thread costs as much as some kilobytes of text. */
async function* gathered(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of input) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes < pieceBytes) continue
    yield Buffer.concat(pieces)
    pieces = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(pieces)
}
