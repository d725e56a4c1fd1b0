import { Agent, createServer, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

type Stored = {
  status: number
  headers: Headers
  body: string
  tags: string[]
  storedAt: number
  varies: string[]
}
type Age = { maxAge: number; whileRevalidating: number; ifError: number }

type Asked = { host?: string; method?: string; headers?: Record<string, string> }

/**
 * A caching proxy that follows CDN-Cache-Control, Vary and purges by Surrogate-Key, as an edge cache does. What it stores is found by
 * host and address (RFC 9111); a stored GET answers HEAD and If-None-Match as well.
 */
export async function openEdge(token: string | null = null) {
  const stored = new Map<string, Stored[]>()
  const purged: string[][] = []
  let origin = ''
  let accepts = true

  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const server = createServer(async (request, response) => {
    if (request.method === 'POST' && request.url === '/purge') {
      const isAllowed = accepts && (token === null || request.headers['fastly-key'] === token)
      if (isAllowed) purge(`${request.headers['surrogate-key']}`.split(' '))
      response.writeHead(isAllowed ? 200 : 503).end()
      return
    }
    const key = `${request.headers.host?.toLowerCase()}${request.url}`
    const found = stored
      .get(key)
      ?.find(({ headers, varies }) =>
        varies.every((name) => (headers.get(`x-asked-${name}`) ?? '') === (request.headers[name] ?? '')),
      )
    const age = found ? (Date.now() - found.storedAt) / 1_000 : 0
    const { maxAge, whileRevalidating, ifError } = lifetimeOf(found)
    const answer = (
      outcome: string,
      { status, headers, body }: Omit<Stored, 'tags' | 'storedAt' | 'varies'>,
    ) => {
      const etag = headers.get('etag')
      const isUnchanged = status === 200 && etag !== null && request.headers['if-none-match'] === etag
      const names = ['content-type', 'etag', 'location', 'vary', 'cache-control', 'content-language']
      const kept = names.flatMap((name) => (headers.has(name) ? [[name, headers.get(name)]] : []))
      response
        .writeHead(isUnchanged ? 304 : status, { 'x-cache': outcome, ...Object.fromEntries(kept) })
        .end(isUnchanged || request.method === 'HEAD' ? undefined : body)
    }
    if (found && age < maxAge) {
      answer('hit', found)
      return
    }
    if (found && age < maxAge + whileRevalidating) {
      answer('stale', found)
      await pass(request, key).catch(() => {})
      return
    }
    try {
      const passed = await pass(request, key)
      if (passed.status >= 500 && found && age < maxAge + ifError) answer('stale', found)
      else answer(passed.isStored ? 'miss' : 'pass', passed)
    } catch {
      if (found && age < maxAge + ifError) answer('stale', found)
      else response.writeHead(502).end()
    }
  })

  function purge(tags: string[]) {
    purged.push(tags)
    for (const [key, all] of stored)
      stored.set(
        key,
        all.filter((one) => !one.tags.some((tag) => tags.includes(tag))),
      )
  }
  async function pass({ url = '', method = 'GET', headers: asked }: IncomingMessage, key: string) {
    const names = ['host', 'x-app-source', 'accept-language', 'authorization', 'cookie', 'accept']
    const sent = names.flatMap((name) => (asked[name] === undefined ? [] : [[name, `${asked[name]}`]]))
    const { status, headers, body } = await fetchFrom(`${origin}${url}`, {
      ...{ agent, method, headers: Object.fromEntries(sent) },
    })
    const varies = (headers.get('vary') ?? '').split(',').flatMap((name) => name.trim().toLowerCase() || [])
    const isStored = status === 200 && method === 'GET' && headers.has('cdn-cache-control')
    for (const name of varies) headers.set(`x-asked-${name}`, `${asked[name] ?? ''}`)
    const tags = (headers.get('surrogate-key') ?? '').split(' ')
    const one = { status, headers, body, tags, storedAt: Date.now(), varies }
    if (isStored) stored.set(key, [one, ...(stored.get(key) ?? [])].slice(0, 10))
    return { ...one, isStored }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.closeAllConnections())
  afterAll(() => void server.close())
  afterAll(() => agent.destroy())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    purgeUrl: `${url}/purge`,
    purged,
    leadTo(to: string) {
      origin = to
    },
    acceptPurges(does: boolean) {
      accepts = does
    },
    /** Makes what is stored older. */
    age(seconds: number) {
      for (const one of [...stored.values()].flat()) one.storedAt -= 1_000 * seconds
    },
    async get(path: string, headers: Record<string, string> = {}) {
      const response = await fetch(`${url}${path}`, { headers })
      return { status: response.status, cache: response.headers.get('x-cache'), text: await response.text() }
    },
    /** Sends a request under any host. */
    async ask(path: string, { host = 'localhost', method = 'GET', headers = {} }: Asked = {}) {
      const answer = await fetchFrom(`${url}${path}`, { agent, method, headers: { ...headers, host } })
      return { ...answer, cache: answer.headers.get('x-cache') }
    },
  }
}

/** Sends a request as it is given: `fetch` allows no other Host. */
export async function fetchFrom(
  url: string,
  options: { agent: Agent; method: string; headers: IncomingHttpHeaders },
): Promise<{ status: number; headers: Headers; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  request(url, options, resolve).on('error', reject).end()
  const response = await promise
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  const all = Object.entries(response.headers).map(([name, value]): [string, string] => [name, `${value}`])
  return {
    status: response.statusCode ?? 0,
    headers: new Headers(all),
    body: Buffer.concat(parts).toString(),
  }
}

function lifetimeOf(one: Stored | undefined): Age {
  const text = one?.headers.get('cdn-cache-control') ?? ''
  const seconds = (name: string) => Number(new RegExp(`${name}=(\\d+)`).exec(text)?.[1] ?? 0)
  return {
    maxAge: seconds('max-age'),
    whileRevalidating: seconds('stale-while-revalidate'),
    ifError: seconds('stale-if-error'),
  }
}
