import { FetchFailed } from './fetch-failed.ts'

/** Runs the work until it ends, the timeout expires or a signal aborts, even if it ignores its signal. */
export async function withDeadline<T>(
  timeoutMs: number,
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const stop = () => controller.abort(new FetchFailed('aborted'))
  const timer = setTimeout(() => controller.abort(new FetchFailed('timeout')), timeoutMs)
  for (const signal of signals) signal.addEventListener('abort', stop)
  if (signals.some((signal) => signal.aborted)) stop()
  try {
    controller.signal.throwIfAborted()
    return await Promise.race([rejection(controller.signal), work(controller.signal)])
  } finally {
    clearTimeout(timer)
    for (const signal of signals) signal.removeEventListener('abort', stop)
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
