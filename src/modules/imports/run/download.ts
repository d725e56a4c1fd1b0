import { readFile } from 'node:fs/promises'
import { FetchFailed } from '../../../platform/fetch/fetch-failed.ts'
import type { GuardedFetch, GuardedResponse } from '../../../platform/fetch/guarded-fetch.ts'
import { readText } from '../../../platform/fetch/read-text.ts'
import type { SourceRow } from '../queries.ts'
import { nextPage } from '../readers/openagenda.ts'
import type { Part } from '../readers/read.ts'
import { ReadFailed } from '../readers/read-failed.ts'

/** Downloaded content. `download` returns null if nothing changed since the last complete import. */
export type Download = {
  parts: Part[]
  /** Final URL. */
  url: string
  etag: string | null
  last_modified: string | null
}

export type Downloading = {
  fetch: GuardedFetch
  signal: AbortSignal
  /** Allows demo content: local files, available only with the embedded database. */
  hasDemo: boolean
}

export async function download(
  source: SourceRow,
  { fetch, signal, hasDemo }: Downloading,
): Promise<Download | null> {
  if (source.url.startsWith('demo:')) return readDemo(source.url, hasDemo)
  const answer = await ask(fetch, source.url, { signal, headers: conditionsOf(source) })
  if (answer.status === 304) return null
  const { headers, url } = answer
  // Validators of the first page do not cover the other pages, so always fetch all pages.
  if (source.type === 'openagenda') {
    const parts = await Array.fromAsync(pagesAfter(answer, { fetch, signal }))
    return { parts, url, etag: null, last_modified: null }
  }
  return {
    parts: [partOf(answer)],
    url,
    etag: shortOrNull(headers.get('etag')),
    last_modified: shortOrNull(headers.get('last-modified')),
  }
}

const maxPages = 200
const maxBytes = 50_000_000
const pagesMs = 120_000

/** Yields this page and the following ones by cursor. */
async function* pagesAfter(
  first: GuardedResponse,
  { fetch, signal }: Pick<Downloading, 'fetch' | 'signal'>,
): AsyncGenerator<Part> {
  const started = performance.now()
  let page = first
  let bytes = 0
  let last: string | null = null
  for (let pages = 1; ; pages++) {
    bytes += page.body.length
    const isTooMuch = pages > maxPages || bytes > maxBytes || performance.now() - started > pagesMs
    if (isTooMuch) throw new ReadFailed('It has too many pages, or takes too long to send them.')
    yield partOf(page)
    const cursor = nextPage(readText(page))
    // A server that repeats a cursor has sent everything.
    if (cursor === null || JSON.stringify(cursor) === last) return
    last = JSON.stringify(cursor)
    page = await ask(fetch, withCursor(first.url, cursor), { signal })
  }
}

function withCursor(address: string, cursor: string[]): string {
  const url = new URL(address)
  for (const name of [...url.searchParams.keys()])
    if (/^after(\[|$)/.test(name)) url.searchParams.delete(name)
  for (const value of cursor) url.searchParams.append('after[]', value)
  return url.href
}

type FetchOptions = NonNullable<Parameters<GuardedFetch>[1]>

/** Requests a document; throws `ReadFailed` with a sentence for people unless it was aborted. */
export async function ask(fetch: GuardedFetch, url: string, asked: FetchOptions): Promise<GuardedResponse> {
  try {
    const answer = await fetch(url, asked)
    if (answer.status === 200 || (answer.status === 304 && isConditional(asked))) return answer
    throw new ReadFailed(`The server answered ${answer.status}.`)
  } catch (error) {
    if (error instanceof FetchFailed && error.reason !== 'aborted') throw new ReadFailed(error.message)
    throw error
  }
}

const isConditional = ({ headers = {} }: FetchOptions) =>
  'if-none-match' in headers || 'if-modified-since' in headers

function conditionsOf({ etag, last_modified }: SourceRow): Record<string, string> {
  return {
    ...(etag !== null && { 'if-none-match': etag }),
    ...(last_modified !== null && { 'if-modified-since': last_modified }),
  }
}

export const partOf = ({ body, headers }: GuardedResponse): Part => ({
  body,
  contentType: headers.get('content-type') ?? null,
})

/** Returns a validator; null if it is too long to be sent back. */
const shortOrNull = (value: string | undefined) =>
  value !== undefined && /^[\x20-\x7e]{1,500}$/.test(value) ? value : null

const demoFolder = new URL('../../../../demo/imports/', import.meta.url)

/** Reads a file of the demo content. */
export async function readDemo(url: string, hasDemo: boolean): Promise<Download> {
  const [, file] = /^demo:([a-z0-9-]+\.[a-z]+)$/.exec(url) ?? []
  if (file === undefined || !hasDemo) throw new ReadFailed('Demo content is for the embedded database alone.')
  const body = await readFile(new URL(file, demoFolder))
  return { parts: [{ body, contentType: null }], url, etag: null, last_modified: null }
}
