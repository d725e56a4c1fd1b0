import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'

const { get, send, commune } = await openWorld()

test('a public read has a strong ETag that changes with the response, and cache headers', async () => {
  const first = await get('/communes?departement=55')
  expect(first.headers.get('etag')).toMatch(/^"[\w-]{27}"$/)
  expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
  expect(first.headers.get('vary')).toBe('X-App-Source')
  expect((await get('/communes?departement=55')).headers.get('etag')).toBe(first.headers.get('etag'))
  await commune({ departement: '55' })
  expect((await get('/communes?departement=55')).headers.get('etag')).not.toBe(first.headers.get('etag'))
})

test('If-None-Match returns 304 without a body and with the same headers', async () => {
  const etag = (await get('/communes')).headers.get('etag') ?? ''
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const { status, text, headers } = await get('/communes', { headers: { 'if-none-match': tags } })
    expect({ status, text, etag: headers.get('etag') }).toEqual({ status: 304, text: '', etag })
    expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate')
    expect(headers.get('content-type')).toBeNull()
  }
  expect((await get('/communes', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
})

test('HEAD returns the status and headers of GET, without the body', async () => {
  const read = await get('/communes')
  const head = await send('HEAD', '/communes')
  expect(head.status).toBe(200)
  expect(head.text).toBe('')
  for (const name of ['etag', 'cache-control', 'content-length']) {
    expect(head.headers.get(name)).toBe(read.headers.get(name))
  }
})

test('an error is never cached and has no ETag, even with If-None-Match: *', async () => {
  const missing = await get('/communes/nowhere', { headers: { 'if-none-match': '*' } })
  expect(missing).toBeError(404, 'not_found')
  expect(missing.headers.get('etag')).toBeNull()
  expect(missing.headers.get('cache-control')).toBe('no-store')
})

test.each(['*', 'the tag itself'])('HEAD returns 304 to If-None-Match with %s', async (given) => {
  const { headers } = await get('/communes')
  const etag = headers.get('etag') ?? ''
  const head = await send('HEAD', '/communes', undefined, {
    headers: { 'if-none-match': given === '*' ? given : etag },
  })
  expect(head.status).toBe(304)
  expect(head.headers.get('etag')).toBe(etag)
  expect(head.headers.get('vary')).toBe('X-App-Source')
})
