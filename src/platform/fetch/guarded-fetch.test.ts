import { BlockList } from 'node:net'
import { TLSSocket } from 'node:tls'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createGuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'
import { cert, listen, serve } from './local-servers.test-kit.ts'

const open = createGuardedFetch({ allowPrivate: true })

afterEach(() => void vi.unstubAllEnvs())

/** As in production, except that the first loopback address stands for the public internet. */
function guarded(options: Partial<GuardedFetchOptions> = {}) {
  const refused = new BlockList()
  refused.addAddress('127.0.0.2')
  refused.addSubnet('10.0.0.0', 8)
  refused.addSubnet('169.254.0.0', 16)
  return createGuardedFetch({ allowPrivate: false, refused, timeoutMs: 15_000, ...options })
}

/** Returns one list of addresses per call, in order, then the last one again. */
function resolver(...answers: string[][]) {
  return vi.fn(async () => (answers.length > 1 ? answers.shift() : answers[0]) ?? [])
}

function words(text: string): string[] {
  return text.split(' ')
}

function refusal(reason: string) {
  return { name: 'FetchFailed', reason }
}

describe('URLs', () => {
  test.each([
    '',
    'http://a b/',
    ...words('feed /feed //feed.test/ ftp://feed.test/ file:///etc/passwd data:text/plain,feed javascript:1'),
    ...words(
      'ws://feed.test/ unix:/run/docker.sock http:// http://[::1 http://256.1.1.1/ http://user@feed.test/',
    ),
    ...words('http://user:pass@feed.test/ https://:pass@feed.test/'),
  ])('refuses %s', async (url) => {
    await expect(open(url)).rejects.toMatchObject(refusal('bad_url'))
  })

  test.each([
    ...words('127.0.0.1 127.1 2130706433 0177.0.0.1 0x7f.1 0x7f000001 017700000001 127.0.0.1. 0 0.0.0.0'),
    ...words('%31%32%37.0.0.1 ①②⑦.0.0.1 127。0。0。1 localhost LOCALHOST [::1] [::] [::ffff:127.0.0.1]'),
    ...words('[::ffff:7f00:1] [::127.0.0.1] [64:ff9b::127.0.0.1]'),
  ])('refuses the loopback address spelled %s without connecting', async (host) => {
    const { port, connections } = await serve((_request, response) => response.end('inside'))
    const guardedFetch = createGuardedFetch({ allowPrivate: false })
    await expect(guardedFetch(`http://${host}:${port}/`)).rejects.toMatchObject(refusal('private_address'))
    await expect(guardedFetch(`https://${host}:${port}/`)).rejects.toMatchObject(refusal('private_address'))
    expect(connections()).toBe(0)
  })

  test('does not disclose the address in its message', async () => {
    const guardedFetch = guarded({ resolve: resolver(['10.1.2.3']) })
    const error = await guardedFetch('http://intranet.test/').catch((thrown: Error) => thrown)
    expect(inspect(error)).toMatch(/private or reserved network/)
    expect(inspect(error)).not.toMatch(/10\.1\.2\.3|intranet\./)
  })
})

describe('host names', () => {
  test('one private address among public ones refuses the name', async () => {
    const { port, connections } = await serve((_request, response) => response.end('outside'))
    const guardedFetch = guarded({ resolve: resolver(['127.0.0.1', '10.0.0.1']) })
    await expect(guardedFetch(`http://feed.test:${port}/`)).rejects.toMatchObject(refusal('private_address'))
    expect(connections()).toBe(0)
  })

  test.each([['10.0.0.1'], ['::ffff:10.0.0.1'], ['fe80::1%lo'], ['not an address']])(
    'refuses a name that resolves to %s',
    async (address) => {
      const guardedFetch = guarded({ resolve: resolver([address]) })
      await expect(guardedFetch('http://feed.test/')).rejects.toMatchObject(refusal('private_address'))
    },
  )

  test('a name that does not resolve is a DNS failure', async () => {
    await expect(guarded({ resolve: resolver([]) })('http://feed.test/')).rejects.toMatchObject(
      refusal('dns'),
    )
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
    await expect(guarded({ resolve })('http://feed.test/')).rejects.toMatchObject(refusal('dns'))
  })

  test('tries the other addresses of a name when one does not respond', async () => {
    const { port } = await serve((_request, response) => response.end('found'))
    const guardedFetch = guarded({ resolve: resolver(['127.0.0.3', '127.0.0.1']) })
    expect((await guardedFetch(`http://feed.test:${port}/`)).body.toString()).toBe('found')
  })
})

describe('DNS rebinding', () => {
  /**
   * A public site at 127.0.0.1 and, where the system has that address (macOS does not), an internal one at 127.0.0.2.
   */
  async function worlds(redirect: boolean) {
    const site = await serve((_request, response) =>
      redirect ? response.writeHead(302, { location: '/again' }).end() : response.end('outside'),
    )
    const inside = await serve((_request, response) => response.end('inside'))
    inside.server.close()
    await listen(inside.server, site.port, '127.0.0.2').catch((error) => {
      if (error.code !== 'EADDRNOTAVAIL') throw error
    })
    return { url: `http://feed.test:${site.port}/`, site, inside }
  }

  test('looks the name up once and connects to the checked address', async () => {
    const { url, inside } = await worlds(false)
    const resolve = resolver(['127.0.0.1'], ['127.0.0.2'])
    expect((await guarded({ resolve })(url)).body.toString()).toBe('outside')
    expect(resolve).toHaveBeenCalledTimes(1)
    expect(inside.connections()).toBe(0)
  })

  test('looks the name up and checks it again after a redirect', async () => {
    const { url, site, inside } = await worlds(true)
    const resolve = resolver(['127.0.0.1'], ['127.0.0.2'])
    await expect(guarded({ resolve })(url)).rejects.toMatchObject(refusal('private_address'))
    expect([resolve.mock.calls.length, site.hits(), inside.connections()]).toEqual([2, 1, 0])
  })

  test('the socket checks its own address against the list', async () => {
    const { url, site } = await worlds(false)
    const refused = new BlockList()
    refused.check = vi.fn(() => true).mockReturnValueOnce(false)
    const guardedFetch = guarded({ refused, resolve: resolver(['127.0.0.1']) })
    await expect(guardedFetch(url)).rejects.toMatchObject({ cause: { code: 'ERR_IP_BLOCKED' } })
    expect(site.connections()).toBe(0)
  })
})

describe('redirects', () => {
  async function redirecting(location: string, status = 302) {
    return await serve((request, response) => {
      if (request.url === '/end') response.end('end')
      else response.writeHead(status, { location }).end('moved')
    })
  }

  test.each([301, 302, 303, 307, 308])('follows %i and reports the final URL', async (status) => {
    const { url } = await redirecting('/end#part', status)
    expect(await open(`${url}/start`)).toMatchObject({
      status: 200,
      url: `${url}/end`,
      body: Buffer.from('end'),
    })
  })

  test.each([
    ...words('http://10.0.0.1/ http://169.254.169.254/latest/meta-data //10.0.0.1/ http://0xa.1/'),
    ...words('http://167772161/ http://[::ffff:10.0.0.1]/ http://intranet.test/ https://intranet.test/'),
  ])('refuses a redirect to %s', async (location) => {
    const { url } = await redirecting(location)
    const guardedFetch = guarded({ resolve: resolver(['10.0.0.1']) })
    await expect(guardedFetch(url)).rejects.toMatchObject(refusal('private_address'))
  })

  test.each(['ftp://feed.test/', 'file:///etc/passwd', 'http://u:p@feed.test/', 'http://[', 'gopher://a/'])(
    'refuses a redirect to %s',
    async (location) => {
      const { url } = await redirecting(location)
      await expect(open(url)).rejects.toMatchObject(refusal('bad_redirect'))
    },
  )

  test('follows five redirects, refuses the sixth and loops', async () => {
    const { url, hits } = await serve((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('there')
      else response.writeHead(302, { location: `/${left - 1}` }).end()
    })
    expect((await open(`${url}/5`)).body.toString()).toBe('there')
    expect(hits()).toBe(6)
    await expect(open(`${url}/6`)).rejects.toMatchObject(refusal('too_many_redirects'))
    const loop = await redirecting('/')
    await expect(open(loop.url)).rejects.toMatchObject(refusal('too_many_redirects'))
    expect(loop.hits()).toBe(6)
  })

  test('follows an unescaped path with accents', async () => {
    const { url } = await serve((request, response) => {
      const location = Buffer.from('/actualités').toString('latin1')
      if (request.url === '/') response.writeHead(301, { location }).end()
      else response.end(request.url)
    })
    expect((await open(url)).body.toString()).toBe('/actualit%C3%A9s')
  })

  test('a redirect without Location, or another status, is a response', async () => {
    const { url } = await serve((request, response) => {
      response
        .writeHead(Number(request.url?.slice(1)), request.url === '/302' ? {} : { location: '/x' })
        .end('kept')
    })
    expect(await open(`${url}/302`)).toMatchObject({ status: 302, body: Buffer.from('kept') })
    expect(await open(`${url}/300`)).toMatchObject({ status: 300, body: Buffer.from('kept') })
  })

  test('refuses https to http and follows http to https', async () => {
    const plain = await serve((_request, response) =>
      response.writeHead(301, { location: `${secure.url}/end` }).end(),
    )
    const secure = await serve((request, response) => {
      if (request.url === '/end') response.end('end')
      else response.writeHead(301, { location: plain.url }).end()
    }, true)
    const guardedFetch = createGuardedFetch({ allowPrivate: true, ca: cert })
    await expect(guardedFetch(secure.url)).rejects.toMatchObject(refusal('insecure_redirect'))
    expect(plain.hits()).toBe(0)
    expect((await guardedFetch(plain.url)).body.toString()).toBe('end')
  })

  test('sends secrets only to their origin and not again after a detour', async () => {
    const seen: Array<Record<string, unknown>> = []
    const home = await serve((request, response) => {
      seen.push(request.headers)
      if (request.url === '/') response.writeHead(302, { location: '/here' }).end()
      else if (request.url === '/here') response.writeHead(302, { location: away.url }).end()
      else if (request.url === '/back') response.writeHead(302, { location: '/end' }).end()
      else response.end()
    })
    const away = await serve((request, response) => {
      seen.push(request.headers)
      response.writeHead(302, { location: `${home.url}/back` }).end()
    })
    const headers = {
      Authorization: 'Bearer s',
      Cookie: 'c=1',
      'X-Api-Key': 'k',
      'If-None-Match': '"1"',
      Accept: 'a/b',
    }
    await open(home.url, { headers })
    const harmless = { 'if-none-match': '"1"', accept: 'a/b', 'user-agent': 'Parvis' }
    expect(seen).toMatchObject([harmless, harmless, harmless, harmless, harmless])
    const secrets = ['Bearer s', 'c=1', 'k']
    const none = [undefined, undefined, undefined]
    const carried = seen.map((sent) => [sent.authorization, sent.cookie, sent['x-api-key']])
    expect(carried).toEqual([secrets, secrets, none, none, none])
  })
})

describe('TLS', () => {
  test('requires a certificate for the name', async () => {
    const { port } = await serve(({ socket }, response) => {
      response.end(socket instanceof TLSSocket ? socket.servername : '')
    }, true)
    const guardedFetch = guarded({ ca: cert, resolve: resolver(['127.0.0.1']) })
    expect((await guardedFetch(`https://feed.test:${port}/`)).body.toString()).toBe('feed.test')
    expect((await guardedFetch(`https://feed.test.:${port}/`)).body.toString()).toBe('feed.test')
    await expect(guardedFetch(`https://other.test:${port}/`)).rejects.toMatchObject(refusal('tls'))
  })

  test('refuses an untrusted certificate, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const { url, hits } = await serve((_request, response) => response.end('unsafe'), true)
    await expect(open(url)).rejects.toMatchObject(refusal('tls'))
    expect(hits()).toBe(0)
  })
})

test("sends the default user agent or the caller's", async () => {
  const { url } = await serve((request, response) => response.end(request.headers['user-agent']))
  expect((await open(url)).body.toString()).toBe('Parvis')
  expect((await open(url, { headers: { 'User-Agent': 'Test' } })).body.toString()).toBe('Test')
})

test('ignores proxies of the environment', async () => {
  const proxy = await serve((_request, response) => response.end('proxied'))
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) vi.stubEnv(name, proxy.url)
  vi.stubEnv('NODE_USE_ENV_PROXY', '1')
  const { port } = await serve((_request, response) => response.end('direct'))
  const guardedFetch = guarded({ resolve: resolver(['127.0.0.1']) })
  expect((await guardedFetch(`http://feed.test:${port}/`)).body.toString()).toBe('direct')
})
