import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ReadItem } from './item.ts'
import type { ReadInput } from './read.ts'
import { ReadFailed } from './read-failed.ts'

type Answer = { batch: ReadItem[] | null; failed?: never } | { failed: string }

/** For the whole document to be parsed, and then for each batch. */
const patienceMs = 60_000
const maxHeapMb = 512

/** Each may take the memory above: more of them wait for one to end. */
const mostAtOnce = 3
let atWork = 0
const waiting: (() => void)[] = []

/**
 * The same as `readItems`, in a thread of its own: a large document keeps no request waiting, and one that was made to
 * take forever, or all memory, takes them from nobody else. A batch is read when it is asked for.
 */
export async function* readApart(input: ReadInput, signal: AbortSignal): AsyncGenerator<ReadItem[]> {
  if (atWork >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  atWork += 1
  try {
    signal.throwIfAborted()
    yield* batchesOf(input, signal)
  } finally {
    atWork -= 1
    waiting.shift()?.()
  }
}

async function* batchesOf(input: ReadInput, signal: AbortSignal): AsyncGenerator<ReadItem[]> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 64 },
    // The service's own flags are no thread's.
    execArgv: [],
  })
  try {
    for (;;) {
      worker.postMessage('next')
      const answer = await answerOf(worker, signal)
      if (answer.failed !== undefined) throw new ReadFailed(answer.failed)
      if (answer.batch === null) return
      yield answer.batch
    }
  } finally {
    await worker.terminate()
  }
}

async function answerOf(worker: Worker, signal: AbortSignal): Promise<Answer> {
  const late = AbortSignal.timeout(patienceMs)
  try {
    const [answer] = await once(worker, 'message', { signal: AbortSignal.any([signal, late]) })
    return answer
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (late.aborted) throw new ReadFailed('It takes too long to read.')
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new ReadFailed('It takes too much memory to read.')
    throw error
  }
}
