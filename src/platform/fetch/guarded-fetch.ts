import { BlockList } from 'node:net'
import { privateAddresses } from './addresses.ts'
import { type ConnectRules, type Resolve, resolveAll } from './connect.ts'
import { withDeadline } from './deadline.ts'
import { type Answer, exchange, type Limits } from './exchange.ts'
import { FetchFailed } from './fetch-failed.ts'

export type GuardedFetchOptions = {
  /** Lifts the rule on addresses and no other (`IMPORT_ALLOW_PRIVATE`). */
  allowPrivate: boolean
  /** For the whole of it: names, connections, redirects and bodies. */
  timeoutMs?: number
  /** Of the body, as received and as decompressed. */
  maxBytes?: number
  maxHeaderBytes?: number
  maxRedirects?: number
  userAgent?: string
  /** Certificates to trust in place of the usual ones, as PEM. */
  ca?: string
  resolve?: Resolve
  /** The addresses to refuse in place of the private ones. */
  refused?: BlockList
}

export type GuardedResponse = {
  status: number
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>
  /** Where the answer came from, after redirects. */
  url: string
  /** Whole and decompressed. */
  body: Buffer
}

export type GuardedFetch = {
  /** A GET of a URL that somebody typed. Any status is an answer; no answer is a `FetchFailed`. */
  (
    url: string,
    options?: { headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<GuardedResponse>
  /** Stops what is under way and refuses what comes. */
  close(): void
}

type Rules = ConnectRules & Limits & { maxRedirects: number }

/** Outbound HTTP that cannot be turned against the network it runs in. */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const { timeoutMs = 10_000, userAgent = 'Parvis' } = options
  const rules: Rules = {
    maxBytes: options.maxBytes ?? 10_000_000,
    maxHeaderBytes: options.maxHeaderBytes ?? 16_384,
    maxRedirects: options.maxRedirects ?? 5,
    refused: options.allowPrivate ? new BlockList() : (options.refused ?? privateAddresses()),
    resolve: options.resolve ?? resolveAll,
    ca: options.ca,
  }
  const closing = new AbortController()

  const guardedFetch: GuardedFetch = async (typed, { headers, signal } = {}) => {
    const url = plainUrl(typed) ?? raise('bad_url')
    const sent = { 'user-agent': userAgent, ...Object.fromEntries(new Headers(headers)) }
    const signals = signal ? [closing.signal, signal] : [closing.signal]
    return await withDeadline(timeoutMs, signals, (ending) => follow(url, sent, rules, ending))
  }
  guardedFetch.close = () => closing.abort()
  return guardedFetch
}

async function follow(start: URL, asked: Record<string, string>, rules: Rules, signal: AbortSignal) {
  let url = start
  let headers = asked
  for (let followed = 0; ; followed++) {
    const { redirect, ...answer }: Answer = await exchange(url, headers, rules, signal)
    if (redirect === null) return { ...answer, url: url.href }
    if (followed === rules.maxRedirects) throw new FetchFailed('too_many_redirects')
    const next = plainUrl(redirect, url) ?? raise('bad_redirect')
    if (url.protocol === 'https:' && next.protocol === 'http:') throw new FetchFailed('insecure_redirect')
    if (next.origin !== url.origin) headers = withoutSecrets(headers)
    url = next
  }
}

function plainUrl(text: string, base?: URL): URL | null {
  const url = URL.parse(text, base)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username || url.password) return null
  url.hash = ''
  return url
}

// A list of what may cross to another origin, since a key can stand in a header of any name.
const harmless = new Set(['accept', 'accept-language', 'user-agent', 'if-none-match', 'if-modified-since'])

function withoutSecrets(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => harmless.has(name)))
}

function raise(reason: 'bad_url' | 'bad_redirect'): never {
  throw new FetchFailed(reason)
}
