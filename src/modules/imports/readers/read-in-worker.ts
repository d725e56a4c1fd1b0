import { startThread } from '../../../platform/thread.ts'
import type { ReadItem } from './item.ts'
import type { ReadInput } from './read.ts'
import { ReadFailed } from './read-failed.ts'
import { readerSlots } from './slots.ts'

/** The timeout applies to parsing the whole document and then to each batch. */
export type ReadingLimits = { timeoutMs: number; maxHeapMb: number }
const defaultLimits: ReadingLimits = { timeoutMs: 60_000, maxHeapMb: 512 }

/**
 * Runs `readItems` in a worker thread: a large document delays no request, and one designed to run forever or
 * exhaust memory harms nothing else. Reads each batch on demand.
 */
export async function* readInWorker(
  input: ReadInput,
  signal: AbortSignal,
  limits = defaultLimits,
): AsyncGenerator<ReadItem[]> {
  await readerSlots.take(signal)
  try {
    yield* batchesOf(input, signal, limits)
  } finally {
    readerSlots.release()
  }
}

async function* batchesOf(
  input: ReadInput,
  signal: AbortSignal,
  { timeoutMs, maxHeapMb }: ReadingLimits,
): AsyncGenerator<ReadItem[]> {
  const thread = startThread<'next', ReadItem[] | null>(new URL('./worker.ts', import.meta.url), {
    input,
    limits: { timeoutMs: timeoutMs, maxHeapMb },
    signal,
    fail: (sentence, cause) => new ReadFailed(sentence, { cause }),
  })
  try {
    for (;;) {
      const batch = await thread.request('next')
      if (batch === null) return
      yield batch
    }
  } finally {
    await thread.end()
  }
}
