import { once } from 'node:events'
import { parentPort, Worker } from 'node:worker_threads'

/**
 * A worker thread that handles one request at a time. It parses untrusted input: even if that takes long,
 * requests are served, and a thread that exceeds its limits is ended.
 */
export type Thread<Input, Value> = { request(input: Input): Promise<Value>; end(): Promise<unknown> }

/** `timeoutMs` applies to each request. */
export type ThreadLimits = { timeoutMs: number; maxHeapMb: number }

type Options = {
  /** Becomes the thread's `workerData`. */
  input?: unknown
  limits: ThreadLimits
  signal: AbortSignal
  /** Creates the error for unreadable input. People see the sentence, the log shows the cause. */
  fail: (sentence: string, cause?: unknown) => Error
}

/** Response of the thread: a value, the reason why the input is unreadable, or an unexpected error. */
type Reply<Value> = { value: Value } | { failed: string } | { broken: unknown }

/**
 * Starts the script in a thread; the script must call `handleRequests`. `request` throws the error of `fail` for
 * a fault of the input, the signal's reason if it aborts, and any other error if the thread cannot start or
 * ends.
 */
export function startThread<Input, Value>(script: URL, options: Options): Thread<Input, Value> {
  const { input, limits, signal, fail } = options
  const worker = new Worker(script, {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: limits.maxHeapMb, maxYoungGenerationSizeMb: 16 },
    // The flags of the service do not suit a thread.
    execArgv: [],
  })
  const ended = rejectAtEnd(worker)

  async function request(input: Input): Promise<Value> {
    worker.postMessage(input)
    const reply = await nextReply()
    if ('failed' in reply) throw fail(reply.failed)
    // An unexpected error is most likely a fault of the input.
    if ('broken' in reply) throw fail('It cannot be read.', reply.broken)
    return reply.value
  }

  async function nextReply(): Promise<Reply<Value>> {
    const late = AbortSignal.timeout(limits.timeoutMs)
    try {
      const message = once(worker, 'message', { signal: AbortSignal.any([signal, late]) })
      return (await Promise.race([message, ended]))[0]
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (late.aborted) throw fail('It takes too long to read.')
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw fail('It takes too much memory to read.')
      throw error
    }
  }

  return { request, end: () => worker.terminate() }
}

/** Rejects when the thread ends. Listens permanently, since a thread may end between two requests. */
function rejectAtEnd(worker: Worker): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  worker.once('error', reject).once('exit', () => reject(new Error('the thread that reads has ended')))
  return promise
}

/**
 * Handles requests inside the thread. `sentenceOf` returns the sentence for an error that is the input's
 * fault, null for any other.
 */
export function handleRequests<Input, Value>(
  handle: (input: Input) => Promise<Value>,
  sentenceOf: (error: unknown) => string | null,
): void {
  const reply = (sent: Reply<Value>) => parentPort?.postMessage(sent)
  parentPort?.on('message', async (input: Input) => {
    try {
      reply({ value: await handle(input) })
    } catch (error) {
      const failed = sentenceOf(error)
      reply(failed === null ? { broken: error } : { failed })
    }
  })
}
