import { once } from 'node:events'
import { parentPort, Worker } from 'node:worker_threads'

/**
 * A worker thread that handles one question at a time. It parses untrusted input: even if that takes long,
 * requests are served, and a thread that exceeds its limits is ended.
 */
export type Thread<Question, Value> = { ask(question: Question): Promise<Value>; end(): Promise<unknown> }

/** `timeoutMs` applies to each question. */
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
type Answer<Value> = { value: Value } | { failed: string } | { broken: unknown }

/**
 * Starts the script in a thread; the script must call `answerQuestions`. `ask` throws the error of `fail` for
 * a fault of the input, the signal's reason if it aborts, and any other error if the thread cannot start or
 * ends.
 */
export function startThread<Question, Value>(script: URL, options: Options): Thread<Question, Value> {
  const { input, limits, signal, fail } = options
  const worker = new Worker(script, {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: limits.maxHeapMb, maxYoungGenerationSizeMb: 16 },
    // The flags of the service do not suit a thread.
    execArgv: [],
  })
  const ended = rejectAtEnd(worker)

  async function ask(question: Question): Promise<Value> {
    worker.postMessage(question)
    const answer = await nextAnswer()
    if ('failed' in answer) throw fail(answer.failed)
    // An unexpected error is most likely a fault of the input.
    if ('broken' in answer) throw fail('It cannot be read.', answer.broken)
    return answer.value
  }

  async function nextAnswer(): Promise<Answer<Value>> {
    const late = AbortSignal.timeout(limits.timeoutMs)
    try {
      const answer = once(worker, 'message', { signal: AbortSignal.any([signal, late]) })
      return (await Promise.race([answer, ended]))[0]
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (late.aborted) throw fail('It takes too long to read.')
      if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw fail('It takes too much memory to read.')
      throw error
    }
  }

  return { ask, end: () => worker.terminate() }
}

/** Rejects when the thread ends. Listens permanently, since a thread may end between two questions. */
function rejectAtEnd(worker: Worker): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  worker.once('error', reject).once('exit', () => reject(new Error('the thread that reads has ended')))
  return promise
}

/**
 * Handles questions inside the thread. `sentenceOf` returns the sentence for an error that is the input's
 * fault, null for any other.
 */
export function answerQuestions<Question, Value>(
  answer: (question: Question) => Promise<Value>,
  sentenceOf: (error: unknown) => string | null,
): void {
  const reply = (answered: Answer<Value>) => parentPort?.postMessage(answered)
  parentPort?.on('message', async (question: Question) => {
    try {
      reply({ value: await answer(question) })
    } catch (error) {
      const failed = sentenceOf(error)
      reply(failed === null ? { broken: error } : { failed })
    }
  })
}
