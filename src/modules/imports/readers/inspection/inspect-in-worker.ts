import { startThread } from '../../../../platform/thread.ts'
import { ReadFailed } from '../read-failed.ts'
import { readerSlots } from '../slots.ts'
import type { InspectInput, Inspection } from './inspect.ts'

const limits = { timeoutMs: 20_000, maxHeapMb: 512 }

/** Runs `inspect` in a worker thread, in one of the slots of imports. */
export async function inspectInWorker(input: InspectInput, signal: AbortSignal): Promise<Inspection> {
  await readerSlots.take(signal)
  const thread = startThread<'inspect', Inspection>(new URL('./worker.ts', import.meta.url), {
    input,
    limits,
    signal,
    fail: (sentence, cause) => new ReadFailed(sentence, { cause }),
  })
  try {
    return await thread.request('inspect')
  } finally {
    await thread.end()
    readerSlots.release()
  }
}
