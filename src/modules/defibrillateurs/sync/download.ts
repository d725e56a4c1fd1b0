import type { Readable } from 'node:stream'
import type { Agent } from 'undici'
import { SyncFailed } from './sync-failed.ts'

/** Limits of a download. The operator's URLs are trusted, but the server may be slow, endless or broken. */
export type DownloadLimits = {
  /** Timeout until the response starts, and between two chunks of it. */
  silenceMs: number
  /** The body must deliver `leastBytesInWindow` in each window, or it could trickle forever. */
  windowMs: number
  leastBytesInWindow: number
  totalMs: number
  maxBytes: number
  maxRedirects: number
}

/** Default limits, generous because the registry has some hundred megabytes. */
export const defaultLimits: DownloadLimits = {
  silenceMs: 30_000,
  windowMs: 30_000,
  leastBytesInWindow: 1_000_000,
  totalMs: 1_200_000,
  maxBytes: 1_500_000_000,
  maxRedirects: 5,
}

/** Downloads a URL, passes the body to `work`, follows redirects and leaves no connection open. */
export async function withDownload<T>(
  url: string,
  { signal, limits = defaultLimits }: { signal: AbortSignal; limits?: DownloadLimits },
  work: (body: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const { Agent } = await undici()
  const agent = new Agent({
    connect: { timeout: limits.silenceMs },
    headersTimeout: limits.silenceMs,
    bodyTimeout: limits.silenceMs,
  })
  try {
    const both = AbortSignal.any([signal, stop.signal])
    const body = await explained(signal, follow(agent, url, both, limits))
    return await work(bounded(body, signal, limits))
  } finally {
    stop.abort()
    await agent.destroy()
  }
}

/** Loaded at the first sync, because it delays the start. */
const undici = () => import('undici')

async function follow(agent: Agent, start: string, signal: AbortSignal, { maxRedirects }: DownloadLimits) {
  const { request } = await undici()
  let url = new URL(start)
  for (let followed = 0; ; followed++) {
    const headers = { 'user-agent': 'Parvis', 'accept-encoding': 'identity' }
    const answer = await request(url, { dispatcher: agent, signal, headers })
    // Ignores the error that is emitted when an abandoned response is destroyed.
    answer.body.on('error', () => {})
    const location = answer.headers.location
    if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string') {
      if (followed === maxRedirects)
        throw new SyncFailed('The registry redirects without end.', { code: 'unreachable' })
      const next = URL.parse(location, url)
      if (next === null || !/^https?:$/.test(next.protocol))
        throw new SyncFailed('The registry redirects to an invalid address.', { code: 'unreachable' })
      if (url.protocol === 'https:' && next.protocol === 'http:')
        throw new SyncFailed('The registry redirects from https to http.', { code: 'unreachable' })
      answer.body.destroy()
      url = next
      continue
    }
    if (answer.statusCode !== 200)
      throw new SyncFailed(`The registry answered ${answer.statusCode}.`, { code: 'unreachable' })
    if (!/^(identity)?$/i.test(String(answer.headers['content-encoding'] ?? '')))
      throw new SyncFailed('The registry sent a compressed response that was not requested.', {
        code: 'unreachable',
      })
    return answer.body
  }
}

async function* bounded(
  body: Readable,
  signal: AbortSignal,
  limits: DownloadLimits,
): AsyncGenerator<Uint8Array> {
  const began = performance.now()
  let [total, inWindow] = [0, 0]
  // Counts only the time spent waiting for the registry, not our own processing.
  let waitedMs = 0
  const pieces = body[Symbol.asyncIterator]()
  for (;;) {
    const asked = performance.now()
    const { done, value } = await explained(signal, pieces.next())
    if (done) return
    waitedMs += performance.now() - asked
    total += value.length
    inWindow += value.length
    if (total > limits.maxBytes)
      throw new SyncFailed('The registry sent more data than expected.', { code: 'unreachable' })
    if (performance.now() - began > limits.totalMs)
      throw new SyncFailed('The registry takes too long.', { code: 'unreachable' })
    if (waitedMs >= limits.windowMs) {
      if (inWindow < limits.leastBytesInWindow)
        throw new SyncFailed('The registry answers too slowly.', { code: 'unreachable' })
      ;[waitedMs, inWindow] = [0, 0]
    }
    yield value
  }
}

/** Converts a network error to a `SyncFailed`; rethrows the reason of an abort. */
async function explained<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    signal.throwIfAborted()
    const code = (error as NodeJS.ErrnoException).code
    throw typeof code === 'string' ? new SyncFailed(sentenceOf(code), { code: 'unreachable' }) : error
  }
}

function sentenceOf(code: string): string {
  if (/TIMEOUT/.test(code)) return `The registry did not answer in time (${code}).`
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET')
    return `The connection to the registry was cut (${code}).`
  return `The registry cannot be reached (${code}).`
}
