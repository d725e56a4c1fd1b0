import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ReadItem } from './item.ts'
import type { ReadInput } from './read.ts'
import { ReadFailed } from './read-failed.ts'

type Answer = { batch: ReadItem[] | null; failed?: never } | { failed: string }

/** For the whole document to be parsed, and then for each batch. */
const patienceMs = 60_000
const maxHeapMb = 512

/** Each may take the memory above: more of them wait for one to end, in the order in which they came. */
let free = 3
const waiting: (() => void)[] = []

/**
 * The same as `readItems`, in a thread of its own: a large document keeps no request waiting, and one that was made to
 * take forever, or all memory, takes them from nobody else. A batch is read when it is asked for.
 */
export async function* readApart(input: ReadInput, signal: AbortSignal): AsyncGenerator<ReadItem[]> {
  await takeTurn(signal)
  try {
    yield* batchesOf(input, signal)
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
    // Its turn has just come: what it begins is stopped there.
    if (place < 0) return
    waiting.splice(place, 1)
    reject(signal.reason)
  }
  waiting.push(resolve)
  signal.addEventListener('abort', leave, { once: true })
  await promise
  signal.removeEventListener('abort', leave)
}

/** The turn goes to who waits, before anybody else can take it. */
function endTurn(): void {
  const next = waiting.shift()
  if (next === undefined) free += 1
  else next()
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
    // A reader that stumbles has met something that nobody thought of: the source's fault as far as anybody can tell.
    throw new ReadFailed('It cannot be read.', { cause: error })
  }
}
