import { BlockList, type Socket } from 'node:net'
import type { Agent, buildConnector } from 'undici'
import { privateAddresses } from './addresses.ts'
import { guardedConnector } from './connect.ts'
import { withDeadline } from './deadline.ts'
import { FetchFailed } from './fetch-failed.ts'
import { resolver } from './resolve.ts'

export type GuardedPostOptions = {
  /** Disables only the address check (`IMPORT_ALLOW_PRIVATE`). */
  allowPrivate: boolean
  /** Timeout of connecting, lookup and TLS included; and of the whole request, which is longer. */
  connectMs?: number
  timeoutMs?: number
  /** Connections to one origin. */
  connections?: number
  /** Certificate authorities to trust instead of the default ones, as PEM. */
  ca?: string
}

/** `unsent`: nothing has left. `unanswered`: it may have arrived. */
export type PostResult =
  | { kind: 'answered'; status: number; retryAfter: string | null }
  | { kind: 'unsent' | 'unanswered'; error: FetchFailed }

export type GuardedPost = (
  url: string,
  request: { headers: Record<string, string>; body: Buffer },
) => Promise<PostResult>

/**
 * Creates a client that posts to untrusted https URLs, by the address rules of `createGuardedFetch`, and keeps connections open
 * between requests: ten thousand messages to one origin would otherwise be as many TLS handshakes, which take longer than the
 * messages. It follows no redirect and reads no body.
 */
export function createGuardedPost(options: GuardedPostOptions): GuardedPost {
  const { connectMs = 5_000, timeoutMs = 10_000, connections = 50, ca } = options
  const rules = {
    refused: options.allowPrivate ? new BlockList() : privateAddresses(),
    resolve: resolver(),
    ca,
  }
  const ofConnecting = new WeakSet<Error>()
  let agent: Promise<Agent> | undefined
  const open = async () => {
    // Loaded at the first request, because few services post anything in their first seconds.
    const { Agent } = await import('undici')
    return new Agent({
      connections,
      maxHeaderSize: 16_384,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: connectInTime,
    })
  }

  /** The signal of a connector also ends its connections, so each has one that does not outlive the attempt. */
  function connectInTime(...[target, callback]: Parameters<buildConnector.connector>): void {
    const attempt = new AbortController()
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      const error = new FetchFailed('timeout')
      attempt.abort(error)
      reject(error)
    }, connectMs)
    const connected = new Promise<Socket>((resolve, refuse) => {
      guardedConnector(rules, attempt.signal)(target, (error, socket) => {
        if (socket === null) refuse(error)
        else resolve(socket)
      })
    })
    Promise.race([connected, late])
      .finally(() => clearTimeout(timer))
      .then(
        (socket) => callback(null, socket),
        (error: Error) => {
          ofConnecting.add(error)
          callback(error, null)
        },
      )
  }

  return async (typed, { headers, body }) => {
    const url = httpsUrl(typed)
    if (url === null) return { kind: 'unsent', error: new FetchFailed('bad_url') }
    try {
      return await withDeadline(timeoutMs, [], async (signal) => {
        agent ??= open()
        const response = await (await agent).request({
          ...{ origin: url.origin, path: url.pathname + url.search, method: 'POST' },
          ...{ headers: { 'user-agent': 'Parvis', ...headers }, body, signal },
        })
        await response.body.dump({ limit: maxDumped })
        const [retryAfter = null] = [response.headers['retry-after'] ?? []].flat()
        return { kind: 'answered', status: response.statusCode, retryAfter }
      })
    } catch (error) {
      const failure = error instanceof FetchFailed ? error : new FetchFailed('connection', error)
      return { kind: ofConnecting.has(failure) ? 'unsent' : 'unanswered', error: failure }
    }
  }
}

const maxDumped = 16_384

/** Parses an address to post to; null if it is not https, or carries a user name. */
export function httpsUrl(text: string): URL | null {
  const url = URL.parse(text)
  return url?.protocol === 'https:' && !url.username && !url.password ? url : null
}
