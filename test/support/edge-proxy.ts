import { createServer, type IncomingHttpHeaders } from 'node:http'
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

/** A caching proxy that follows CDN-Cache-Control, Vary and purges by Surrogate-Key, as an edge cache does. */
export async function openEdge(token: string | null = null) {
  const stored = new Map<string, Stored[]>()
  const purged: string[][] = []
  let origin = ''
  let accepts = true

  const server = createServer(async (request, response) => {
    if (request.method === 'POST' && request.url === '/purge') {
      const isAllowed = accepts && (token === null || request.headers['fastly-key'] === token)
      if (isAllowed) purge(`${request.headers['surrogate-key']}`.split(' '))
      response.writeHead(isAllowed ? 200 : 503).end()
      return
    }
    const url = request.url ?? ''
    const found = stored
      .get(url)
      ?.find(({ headers, varies }) =>
        varies.every((name) => (headers.get(`x-asked-${name}`) ?? '') === (request.headers[name] ?? '')),
      )
    const age = found ? (Date.now() - found.storedAt) / 1_000 : 0
    const { maxAge, whileRevalidating, ifError } = lifetimeOf(found)
    const answer = (
      outcome: string,
      { status, headers, body }: Omit<Stored, 'tags' | 'storedAt' | 'varies'>,
    ) =>
      response
        .writeHead(status, { 'x-cache': outcome, 'content-type': headers.get('content-type') ?? '' })
        .end(body)
    if (found && age < maxAge) {
      answer('hit', found)
      return
    }
    if (found && age < maxAge + whileRevalidating) {
      answer('stale', found)
      await pass(request.headers, url).catch(() => {})
      return
    }
    try {
      const passed = await pass(request.headers, url)
      if (passed.status >= 500 && found && age < maxAge + ifError) answer('stale', found)
      else answer(passed.isStored ? 'miss' : 'pass', passed)
    } catch {
      if (found && age < maxAge + ifError) answer('stale', found)
      else response.writeHead(502).end()
    }
  })

  function purge(tags: string[]) {
    purged.push(tags)
    for (const [url, all] of stored)
      stored.set(
        url,
        all.filter((one) => !one.tags.some((tag) => tags.includes(tag))),
      )
  }
  async function pass(asked: IncomingHttpHeaders, url: string) {
    const names = ['x-app-source', 'accept-language', 'authorization', 'cookie', 'accept']
    const sent = names.flatMap((name) => (asked[name] === undefined ? [] : [[name, `${asked[name]}`]]))
    const response = await fetch(`${origin}${url}`, { headers: Object.fromEntries(sent), redirect: 'manual' })
    const headers = new Headers(response.headers)
    const body = await response.text()
    const varies = (headers.get('vary') ?? '').split(',').flatMap((name) => name.trim().toLowerCase() || [])
    const isStored = response.status === 200 && headers.has('cdn-cache-control')
    for (const name of varies) headers.set(`x-asked-${name}`, `${asked[name] ?? ''}`)
    const tags = (headers.get('surrogate-key') ?? '').split(' ')
    const one = { status: response.status, headers, body, tags, storedAt: Date.now(), varies }
    if (isStored) stored.set(url, [one, ...(stored.get(url) ?? [])].slice(0, 10))
    return { ...one, isStored }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.closeAllConnections())
  afterAll(() => void server.close())
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
