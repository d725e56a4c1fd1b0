import { startThread } from '../../../platform/thread.ts'
import type { ReadItem } from './item.ts'
import type { ReadInput } from './read.ts'
import { ReadFailed } from './read-failed.ts'

/** The timeout applies to parsing the whole document and then to each batch. */
export type ReadingLimits = { timeoutMs: number; maxHeapMb: number }
const usualLimits: ReadingLimits = { timeoutMs: 60_000, maxHeapMb: 512 }

/** Free slots. Each reader may use `maxHeapMb`, so further readers queue in order of arrival. */
let free = 3
const waiting: (() => void)[] = []

/**
 * Runs `readItems` in a worker thread: a large document delays no request, and one designed to run forever or
 * exhaust memory harms nothing else. Reads each batch on demand.
 */
export async function* readInWorker(
  input: ReadInput,
  signal: AbortSignal,
  limits = usualLimits,
): AsyncGenerator<ReadItem[]> {
  await takeTurn(signal)
  try {
    yield* batchesOf(input, signal, limits)
  } finally {
    endTurn()
  }
}

async function takeTurn(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (free > 0) {
    free -= 1
    return
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const leave = () => {
    const place = waiting.indexOf(resolve)
    // The slot was just assigned: the signal stops its work.
    if (place < 0) return
    waiting.splice(place, 1)
    reject(signal.reason)
  }
  waiting.push(resolve)
  signal.addEventListener('abort', leave, { once: true })
  await promise
  signal.removeEventListener('abort', leave)
}

/** Passes the slot to the next reader in the queue before a new reader can take it. */
function endTurn(): void {
  const next = waiting.shift()
  if (next === undefined) free += 1
  else next()
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
      const batch = await thread.ask('next')
      if (batch === null) return
      yield batch
    }
  } finally {
    await thread.end()
  }
}
