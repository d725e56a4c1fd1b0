import { randomBytes } from 'node:crypto'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createGuardedFetch } from './guarded-fetch.ts'
import { serve, serveRaw } from './local-servers.test-kit.ts'

const maxBytes = 100_000
const timeoutMs = 300
const guardedFetch = createGuardedFetch({ allowPrivate: true, maxBytes, timeoutMs })
const patient = createGuardedFetch({ allowPrivate: true, maxBytes, timeoutMs: 15_000 })

afterEach(() => void vi.useRealTimers())

/** Freezes time; `vi.advanceTimersByTime` moves it once the server has reached the wanted point. */
function stopTime() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}

async function expectClosed(...servers: { open(): number }[]) {
  vi.useRealTimers()
  for (const { open } of servers) await vi.waitFor(() => expect(open()).toBe(0), { timeout: 60_000 })
}

function failure(reason: string) {
  return { name: 'FetchFailed', reason }
}

describe('responses', () => {
  test('carry the status, the headers in lower case, and the body', async () => {
    const { url } = await serve((request, response) => {
      response
        .writeHead(404, { 'X-Path': request.url, 'Set-Cookie': ['a=1', 'b=2'], ETag: '"é"' })
        .end('none')
    })
    const answer = await patient(`${url}/a%20b?c=é#d`)
    expect(answer).toMatchObject({ status: 404, url: `${url}/a%20b?c=%C3%A9`, body: Buffer.from('none') })
    expect(answer.headers.get('x-path')).toBe('/a%20b?c=%C3%A9')
    expect(answer.headers.get('set-cookie')).toBe('a=1, b=2')
  })

  test('passes conditional requests on, including unusual ETags, and treats 304 as a response', async () => {
    const etag = Buffer.from('W/"é-\xff"', 'latin1').toString('latin1')
    const { url } = await serve((request, response) => {
      if (request.headers['if-none-match'] !== etag) response.writeHead(200, { etag }).end('feed')
      else response.writeHead(304, { etag, 'content-length': '99999999', 'content-encoding': 'gzip' }).end()
    })
    const first = await patient(url)
    const second = await patient(url, { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } })
    expect(second).toMatchObject({ status: 304, body: Buffer.alloc(0) })
    expect(second.headers.get('etag')).toBe(etag)
  })

  test('asks to close the connection, and closes it', async () => {
    const server = await serveRaw((socket, request) => {
      expect(request).toMatch(/^connection: close\r$/im)
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok')
    })
    expect((await patient(server.url)).body.toString()).toBe('ok')
    await expectClosed(server)
  })
})

describe('timeouts', () => {
  test.each([
    ['says nothing', ''],
    ['drips its headers', 'HTTP/1.1 200 OK\r\n', 'X-A: b\r\n'],
    ['drips its body', 'HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n', 'x'],
    ['drips its chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
    ['informs without end', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('times out a server that %s and closes its connection', async (_title, start, drop = '') => {
    let drops = 0
    const server = await serveRaw((socket) => {
      socket.write(start)
      const drip = setInterval(() => {
        socket.write(drop)
        if (++drops === 10) vi.advanceTimersByTime(timeoutMs)
      }, 10)
      socket.on('close', () => clearInterval(drip))
    })
    stopTime()
    await expect(guardedFetch(server.url)).rejects.toMatchObject(failure('timeout'))
    expect(drops).toBeGreaterThanOrEqual(10)
    await expectClosed(server)
  })

  test('redirects share one timeout', async () => {
    const { url, hits } = await serve((_request, response) => {
      vi.advanceTimersByTime(timeoutMs / 3)
      response.writeHead(302, { location: '/' }).end()
    })
    stopTime()
    await expect(guardedFetch(url)).rejects.toMatchObject(failure('timeout'))
    expect(hits()).toBe(3)
  })

  test('times out a DNS lookup and a handshake that never finish', async () => {
    const resolve = () => new Promise<never>(() => {})
    const lost = createGuardedFetch({ allowPrivate: true, timeoutMs: 50, resolve })
    await expect(lost('http://feed.test/')).rejects.toMatchObject(failure('timeout'))
    const server = await serveRaw(() => vi.advanceTimersByTime(timeoutMs))
    stopTime()
    await expect(guardedFetch(`https://127.0.0.1:${server.port}/`)).rejects.toMatchObject(failure('timeout'))
    await expectClosed(server)
  })

  test('does not connect to a name that resolves too late', async () => {
    const { url, port, connections } = await serve((_request, response) => response.end())
    const found = Promise.withResolvers<string[]>()
    const late = createGuardedFetch({ allowPrivate: true, timeoutMs: 50, resolve: () => found.promise })
    await expect(late(`http://feed.test:${port}/`)).rejects.toMatchObject(failure('timeout'))
    found.resolve(['127.0.0.1'])
    // Any later request would have come second.
    expect((await patient(url)).status).toBe(200)
    expect(connections()).toBe(1)
  })

  test('the caller can abort it before and during the request, and so can close', async () => {
    const resolve = vi.fn(async () => ['127.0.0.1'])
    const unasked = createGuardedFetch({ allowPrivate: true, resolve })
    const stopped = unasked('http://feed.test/', { signal: AbortSignal.abort() })
    await expect(stopped).rejects.toMatchObject(failure('aborted'))
    expect(resolve).not.toHaveBeenCalled()
    const caller = new AbortController()
    const one = await serveRaw(() => caller.abort())
    await expect(patient(one.url, { signal: caller.signal })).rejects.toMatchObject(failure('aborted'))
    const closing = createGuardedFetch({ allowPrivate: true })
    const other = await serveRaw(() => closing.close())
    await expect(closing(other.url)).rejects.toMatchObject(failure('aborted'))
    await expect(closing(other.url)).rejects.toMatchObject(failure('aborted'))
    await expectClosed(one, other)
  })
})

describe('size limits', () => {
  const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
  const codings = {
    gzip: gzipSync,
    deflate: deflateSync,
    br: (body: Buffer) => brotliCompressSync(body, quickly),
  }

  test('accepts a body of exactly the limit and refuses one byte more, announced or not', async () => {
    const { url } = await serve((request, response) => {
      const [, size, announced] = request.url?.split('/') ?? []
      if (announced) response.setHeader('content-length', Number(size))
      response.write(Buffer.alloc(Number(size)))
      response.end()
    })
    for (const announced of ['', '/announced']) {
      expect((await patient(`${url}/${maxBytes}${announced}`)).body).toHaveLength(maxBytes)
      await expect(patient(`${url}/${maxBytes + 1}${announced}`)).rejects.toMatchObject(failure('too_large'))
    }
  })

  test('cuts an endless body and closes its connection', async () => {
    const server = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const flood = setInterval(() => socket.write(Buffer.alloc(60_000)), 1)
      socket.on('close', () => clearInterval(flood))
    })
    await expect(patient(server.url)).rejects.toMatchObject(failure('too_large'))
    await expectClosed(server)
  })

  test('does not read a body that announces too large a size', async () => {
    const server = await serveRaw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${maxBytes + 1}\r\n\r\n`)
    })
    await expect(patient(server.url)).rejects.toMatchObject(failure('too_large'))
    await expectClosed(server)
  })

  test('does not read the body of a redirect and closes its connection', async () => {
    const { url } = await serve((_request, response) => response.end('end'))
    const moved = await serveRaw((socket) => {
      socket.write(`HTTP/1.1 302 Found\r\nLocation: ${url}\r\nContent-Length: 99999999\r\n\r\nx`)
    })
    expect((await patient(moved.url)).body.toString()).toBe('end')
    await expectClosed(moved)
  })

  test.each(Object.entries(codings))(
    'stops a %s bomb; accepts a body of exactly the limit',
    async (coding, compress) => {
      const bomb = compress(Buffer.alloc(20 * maxBytes))
      const fitting = compress(Buffer.alloc(maxBytes))
      const { url } = await serve((request, response) => {
        response.writeHead(200, { 'content-encoding': coding }).end(request.url === '/bomb' ? bomb : fitting)
      })
      expect(bomb.length).toBeLessThan(maxBytes)
      await expect(patient(`${url}/bomb`)).rejects.toMatchObject(failure('too_large'))
      expect((await patient(url)).body).toHaveLength(maxBytes)
    },
  )

  test('counts compressed bytes as well', async () => {
    const noise = gzipSync(randomBytes(maxBytes))
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' }).end(noise)
    })
    expect(noise.length).toBeGreaterThan(maxBytes)
    await expect(patient(url)).rejects.toMatchObject(failure('too_large'))
  })

  test('assembles single-byte chunks', async () => {
    const { url } = await serveRaw((socket) => {
      socket.end(
        `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(maxBytes)}0\r\n\r\n`,
      )
    })
    expect((await patient(url)).body.toString()).toBe('x'.repeat(maxBytes))
  })

  test('limits the size of headers', async () => {
    const { url } = await serveRaw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${`X-A: ${'b'.repeat(1000)}\r\n`.repeat(20)}\r\nok`)
    })
    await expect(patient(url)).rejects.toMatchObject(failure('too_large'))
  })
})

describe('encodings', () => {
  const text = Buffer.from('Fête du village '.repeat(100))
  const bodies: Record<string, [string, Buffer]> = {
    gzip: ['gzip', gzipSync(text)],
    'x-gzip, in capitals': [' X-GZIP', gzipSync(text)],
    'gzip in two members': [
      'gzip',
      Buffer.concat([gzipSync(text.subarray(0, 99)), gzipSync(text.subarray(99))]),
    ],
    deflate: ['deflate', deflateSync(text)],
    'deflate without its header': ['deflate', deflateRawSync(text)],
    br: ['br', brotliCompressSync(text)],
    identity: ['identity', text],
  }

  test.each(Object.entries(bodies))('accepts %s', async (_title, [coding, body]) => {
    const { url } = await serve((request, response) => {
      expect(request.headers['accept-encoding']).toBe('gzip, deflate, br')
      response.writeHead(200, { 'content-encoding': coding }).end(body)
    })
    expect((await patient(url, { headers: { 'accept-encoding': 'zstd' } })).body.equals(text)).toBe(true)
  })

  test('an empty body is empty in every encoding', async () => {
    const { url } = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(),
    )
    expect((await patient(url)).body).toHaveLength(0)
  })

  test.each([
    ['gzip', text],
    ['gzip', gzipSync(text).subarray(0, 40)],
    ['deflate', text],
    ['br', text],
    ['zstd', text],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
  ])('a body that is not what %s says is refused', async (coding, body) => {
    const { url } = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': coding }).end(body),
    )
    await expect(patient(url)).rejects.toMatchObject(failure('bad_encoding'))
  })
})

describe('failing servers', () => {
  test.each([
    ['cuts a body short', 'connection', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'],
    ['cuts the headers', 'connection', 'HTTP/1.1 200 OK\r\nContent-'],
    ['says nothing and leaves', 'connection', ''],
    ['does not speak HTTP', 'bad_response', '220 mail.test ESMTP\r\n'],
    [
      'states two lengths',
      'connection',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok',
    ],
    ['chunks without sizes', 'bad_response', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['hides a header', 'bad_response', 'HTTP/1.1 200 OK\r\nX: a\rLocation: /b\r\n\r\n'],
  ])('a server that %s fails with %s', async (_title, reason, said) => {
    const { url } = await serveRaw((socket) => socket.end(said))
    await expect(patient(url)).rejects.toMatchObject(failure(reason))
  })

  test('a server that disconnects between chunks fails', async () => {
    const said = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'
    const { url } = await serveRaw((socket) => socket.end(said))
    await expect(patient(url)).rejects.toMatchObject({
      reason: expect.stringMatching(/^(connection|bad_response)$/),
    })
  })

  test('a server that resets the connection, before or within the body, fails', async () => {
    const { url } = await serveRaw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      )
    })
    await expect(patient(url)).rejects.toMatchObject(failure('connection'))
    const rude = await serveRaw((socket) => socket.resetAndDestroy())
    await expect(patient(rude.url)).rejects.toMatchObject(failure('connection'))
  })

  test('does not read beyond the announced length', async () => {
    const { url } = await serveRaw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\nx'),
    )
    expect((await patient(url)).body.toString()).toBe('ok')
  })

  test('a closed port is a connection failure, and plain HTTP on an https URL a TLS failure', async () => {
    const { url, port, server } = await serve((_request, response) => response.end())
    await expect(patient(`https://127.0.0.1:${port}/`)).rejects.toMatchObject(failure('tls'))
    await new Promise((resolve) => server.close(resolve))
    await expect(patient(url)).rejects.toMatchObject(failure('connection'))
  })

  test("a header that cannot be sent is the caller's fault, not the server's", async () => {
    await expect(patient('http://127.0.0.1:1/', { headers: { 'x-a': 'b\nc' } })).rejects.toBeInstanceOf(
      TypeError,
    )
  })
})
