import { BlockList } from 'node:net'
import { privateAddresses } from './addresses.ts'
import type { ConnectRules } from './connect.ts'
import { withDeadline } from './deadline.ts'
import { exchange, type HttpRequest, type HttpResponse, type Limits } from './exchange.ts'
import { FetchFailed } from './fetch-failed.ts'
import { type Resolve, resolver } from './resolve.ts'

export type GuardedFetchOptions = {
  /** Disables only the address check (`IMPORT_ALLOW_PRIVATE`). */
  allowPrivate: boolean
  /** Timeout for the whole request: lookups, connections, redirects and bodies. */
  timeoutMs?: number
  /** Maximum size of the body, both received and decompressed. */
  maxBytes?: number
  maxHeaderBytes?: number
  maxRedirects?: number
  userAgent?: string
  /** Certificate authorities to trust instead of the default ones, as PEM. */
  ca?: string
  resolve?: Resolve
  /** Addresses to refuse instead of the private ones. */
  refused?: BlockList
}

export type GuardedResponse = {
  status: number
  /** Header names in lower case. */
  headers: ReadonlyMap<string, string>
  /** Final URL, after redirects. */
  url: string
  /** Complete and decompressed. */
  body: Buffer
}

export type GuardedFetch = {
  /**
   * Sends a GET to an untrusted URL, or a POST if there is a body. A POST follows no redirect. Returns a
   * response of any status; throws `FetchFailed` if there is none.
   */
  (
    url: string,
    options?: {
      headers?: Record<string, string>
      body?: string | Uint8Array
      signal?: AbortSignal
      /** Called before a redirect is followed; may wait until its host may be asked, or throw. */
      beforeRedirect?: BeforeRedirect
    },
  ): Promise<GuardedResponse>
  /** Aborts requests in flight and refuses new ones. */
  close(): void
}

type BeforeRedirect = (next: URL, signal: AbortSignal) => Promise<void>
type Rules = ConnectRules & Limits & { maxRedirects: number }

/** Creates an HTTP client for untrusted URLs that cannot be used to reach the internal network. */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { timeoutMs = 10_000, userAgent = 'Parvis' } = options
  const rules: Rules = {
    maxBytes: options.maxBytes ?? 10_000_000,
    maxHeaderBytes: options.maxHeaderBytes ?? 16_384,
    maxRedirects: options.maxRedirects ?? 5,
    refused: options.allowPrivate ? new BlockList() : (options.refused ?? privateAddresses()),
    resolve: options.resolve ?? resolver(),
    ca: options.ca,
  }
  const closing = new AbortController()

  const guardedFetch: GuardedFetch = async (typed, { headers, body, signal, beforeRedirect } = {}) => {
    const url = plainUrl(typed) ?? raise('bad_url')
    const sent = { headers: { 'user-agent': userAgent, ...Object.fromEntries(new Headers(headers)) }, body }
    const signals = signal ? [closing.signal, signal] : [closing.signal]
    return await withDeadline(timeoutMs, signals, (ending) =>
      follow(url, sent, { ...rules, beforeRedirect }, ending),
    )
  }
  guardedFetch.close = () => closing.abort()
  return guardedFetch
}

async function follow(
  start: URL,
  { headers: asked, body }: HttpRequest,
  { beforeRedirect, ...rules }: Rules & { beforeRedirect: BeforeRedirect | undefined },
  signal: AbortSignal,
) {
  let url = start
  let headers = asked
  for (let followed = 0; ; followed++) {
    const { redirect, ...response }: HttpResponse = await exchange(url, { headers, body }, rules, signal)
    if (redirect === null) return { ...response, url: url.href }
    if (followed === rules.maxRedirects || body !== undefined) throw new FetchFailed('too_many_redirects')
    const next = plainUrl(redirect, url) ?? raise('bad_redirect')
    if (url.protocol === 'https:' && next.protocol === 'http:') throw new FetchFailed('insecure_redirect')
    if (next.origin !== url.origin) headers = withoutSecrets(headers)
    await beforeRedirect?.(next, signal)
    url = next
  }
}

function plainUrl(text: string, base?: URL): URL | null {
  const url = URL.parse(text, base)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) return null
  url.hash = ''
  return url
}

// An allow list of headers that may cross to another origin, because a key can be in a header of any name.
const harmless = new Set(['accept', 'accept-language', 'user-agent', 'if-none-match', 'if-modified-since'])

function withoutSecrets(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name)))
}

function raise(reason: 'bad_url' | 'bad_redirect'): never {
  throw new FetchFailed(reason)
}
