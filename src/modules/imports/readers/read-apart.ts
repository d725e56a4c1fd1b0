import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ReadItem } from './item.ts'
import type { ReadInput } from './read.ts'
import { ReadFailed } from './read-failed.ts'

/** A batch, or null at the end; why the document cannot be read; or what nobody thought of. */
export type Answer = { batch: ReadItem[] | null } | { failed: string } | { stumbled: unknown }

/** The time is for the whole document to be parsed, and then for each batch. */
export type ReadingLimits = { patienceMs: number; maxHeapMb: number }
const usualLimits: ReadingLimits = { patienceMs: 60_000, maxHeapMb: 512 }

/** Each may take the memory above: more of them wait for one to end, in the order in which they came. */
let free = 3
const waiting: (() => void)[] = []

/**
 * The same as `readItems`, in a thread of its own: a large document keeps no request waiting, and one that was made to
 * take forever, or all memory, takes them from nobody else. A batch is read when it is asked for.
 */
export async function* readApart(
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

async function* batchesOf(
  input: ReadInput,
  signal: AbortSignal,
  { patienceMs, maxHeapMb }: ReadingLimits,
): AsyncGenerator<ReadItem[]> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: 16 },
    // The service's own flags are no thread's.
    execArgv: [],
  })
  const ended = endOf(worker)
  try {
    for (;;) {
      worker.postMessage('next')
      const answer = await answerOf(worker, { ended, signal, patienceMs })
      if ('failed' in answer) throw new ReadFailed(answer.failed)
      // The source's fault as far as anybody can tell; the cause is for the log.
      if ('stumbled' in answer) throw new ReadFailed('It cannot be read.', { cause: answer.stumbled })
      if (answer.batch === null) return
      yield answer.batch
    }
  } finally {
    await worker.terminate()
  }
}

/** Rejects when the thread ends. It is listened to all the time: between two batches, too, nobody else would be told. */
function endOf(worker: Worker): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  worker.once('error', reject).once('exit', () => reject(new Error('the thread that reads has ended')))
  return promise
}

type Waiting = { ended: Promise<never>; signal: AbortSignal; patienceMs: number }

async function answerOf(worker: Worker, { ended, signal, patienceMs }: Waiting): Promise<Answer> {
  const late = AbortSignal.timeout(patienceMs)
  try {
    const answer = once(worker, 'message', { signal: AbortSignal.any([signal, late]) })
    return (await Promise.race([answer, ended]))[0]
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (late.aborted) throw new ReadFailed('It takes too long to read.')
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new ReadFailed('It takes too much memory to read.')
    // The thread itself, whatever it was given to read: not the source's fault.
    throw error
  }
}
