import { startThread } from '../../../platform/thread.ts'
import { ReadFailed } from '../../imports/readers/read-failed.ts'
import { readerSlots } from '../../imports/readers/slots.ts'
import type { ReadFile } from './read-file.ts'

/** Reads a file of collections in a thread, so that a large or hostile one delays no request. */
export async function readInWorker(bytes: Uint8Array, today: string, signal: AbortSignal): Promise<ReadFile> {
  await readerSlots.take(signal)
  const thread = startThread<{ bytes: Uint8Array; today: string }, ReadFile>(
    new URL('./worker.ts', import.meta.url),
    {
      limits: { timeoutMs: 20_000, maxHeapMb: 256 },
      signal,
      fail: (sentence, cause) => new ReadFailed(sentence, { cause }),
    },
  )
  try {
    return await thread.request({ bytes, today })
  } finally {
    readerSlots.release()
    await thread.end()
  }
}
