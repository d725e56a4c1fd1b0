import { Client, errors } from 'undici'
import { acceptedEncodings, readBody } from './body.ts'
import { type ConnectRules, guardedConnector } from './connect.ts'
import { FetchFailed } from './fetch-failed.ts'

export type Answer = {
  status: number
  headers: ReadonlyMap<string, string>
  body: Buffer
  redirect: string | null
}

export type Limits = { maxBytes: number; maxHeaderBytes: number }

/** One request and its answer, on a connection of its own. The body of a redirect is not read. */
export async function exchange(
  url: URL,
  headers: Record<string, string>,
  rules: ConnectRules & Limits,
  signal: AbortSignal,
): Promise<Answer> {
  const client = new Client(url.origin, {
    connect: guardedConnector(rules, signal),
    maxHeaderSize: rules.maxHeaderBytes,
    // The one clock is the caller's signal, which runs over redirects too.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    const answer = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: { ...headers, 'accept-encoding': acceptedEncodings },
      reset: true,
      signal,
    })
    const received = flat(answer.headers)
    const status = answer.statusCode
    const redirect = redirects.has(status) ? location(received) : null
    const empty = redirect !== null || status === 304
    const body = empty ? Buffer.alloc(0) : await readBody(answer.body, received, rules.maxBytes)
    return { status, headers: received, body, redirect }
  } catch (error) {
    throw signal.aborted ? signal.reason : asFailure(error)
  } finally {
    await client.destroy()
  }
}

const redirects = new Set([301, 302, 303, 307, 308])

// Headers are read as Latin-1; a path with accents that is sent unescaped is UTF-8.
function location(headers: ReadonlyMap<string, string>): string | null {
  const value = headers.get('location')
  return value === undefined ? null : Buffer.from(value, 'latin1').toString()
}

function flat(headers: Record<string, string | string[] | undefined>): Map<string, string> {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name, [value ?? []].flat().join(', ')] as const,
  )
  return new Map(entries)
}

// An error without a code is a fault of ours, like a header that cannot be sent, and stays what it is.
function asFailure(error: unknown): unknown {
  if (error instanceof errors.HTTPParserError) return new FetchFailed('bad_response', error)
  if (error instanceof errors.HeadersOverflowError) return new FetchFailed('too_large', error)
  if (error instanceof FetchFailed || error instanceof errors.InvalidArgumentError) return error
  return error instanceof Error && 'code' in error ? new FetchFailed('connection', error) : error
}
