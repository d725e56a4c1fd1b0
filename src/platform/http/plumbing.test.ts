import { connect as connectSocket } from 'node:net'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { conflict } from '../errors.ts'
import * as audiences from './audiences.ts'
import { nullable, oneOf, optionalBody, record, text } from './validation/schemas.ts'

// Checks the rules of every writing route, on routes that only this test registers.
const Thing = Type.Object(
  {
    name: text(10, { minLength: 1 }),
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    tags: Type.Optional(Type.Array(text(3), { minItems: 1 })),
    note: Type.Optional(nullable(text(3))),
    is_new: Type.Optional(Type.Boolean()),
    day: Type.Optional(Type.String({ format: 'date' })),
    colour: Type.Optional(nullable(oneOf(['red', 'green', 'blue']))),
  },
  { additionalProperties: false },
)
const described = (operationId: string) => ({ operationId, summary: operationId, tags: ['communes'] })

const { post, patch, get, send, url } = await openWorld({
  extraRoutes: (api, deps) =>
    audiences.publicReads(api, deps, (scope) => {
      scope.post(
        '/test/things',
        { schema: { ...described('makeThing'), body: Thing, response: { 201: record(Thing) } } },
        async ({ body }, reply) => reply.code(201).send({ data: body }),
      )
      scope.patch(
        '/test/things/:id',
        {
          schema: {
            ...described('touchThing'),
            body: optionalBody(Thing),
            response: { 200: record(Type.String()) },
          },
        },
        async ({ body }) => ({ data: body === undefined ? 'no body' : 'a body' }),
      )
      scope.get(
        '/test/broken',
        { config: { caching: { never: 'test' } }, schema: described('breakThing') },
        async () => {
          throw new Error('select secret from postgres://user:password@host/db')
        },
      )
      scope.get(
        '/test/taken',
        { schema: described('takenThing'), config: { caching: { never: 'test' }, refusals: ['conflict'] } },
        async () => {
          throw conflict()
        },
      )
    }),
})
const json = { 'content-type': 'application/json' }

test('accepts a valid body unchanged', async () => {
  const answer = await post('/test/things', { name: 'é', count: 2, tags: ['a'] })
  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({ data: { name: 'é', count: 2, tags: ['a'] } })
})

test.each([
  ['an unknown key', { name: 'a', nom: 'b' }, 'nom'],
  ['a number as text', { name: 'a', count: '2' }, 'count'],
  ['text as a number', { name: 12 }, 'name'],
  ['null', { name: null }, 'name'],
  ['a missing field', {}, 'name'],
  ['a long text', { name: 'a'.repeat(11) }, 'name'],
  ['a NUL', { name: 'a\u0000' }, 'name'],
  ['an item of a list', { name: 'a', tags: ['a', 'b', 'toolong'] }, 'tags.2'],
  ['a list as the body', [], ''],
  ['null as the body', 'null', ''],
])('returns 422 with the field for a body with %s', async (_what, body, field) => {
  const answer = await send('POST', '/test/things', body, { headers: json })
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details).toContainEqual({ field, message: expect.any(String) })
})

test('lists at most twenty faults', async () => {
  const answer = await post('/test/things', {
    name: 'a',
    tags: Array.from({ length: 5_000 }, () => 'toolong'),
  })
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details.length).toBeLessThanOrEqual(20)
})

test.each(['{"name":"a","__proto__":{"a":1}}', '{"name":"a","constructor":{"prototype":{"a":1}}}'])(
  'returns 422 for a key that is special in JavaScript: %s',
  async (body) => {
    const answer = await send('POST', '/test/things', body, { headers: json })
    expect(answer).toBeError(422, 'validation_failed')
    const field = body.includes('__proto__') ? '__proto__' : 'constructor'
    expect(answer.body.details).toEqual([{ field, message: expect.any(String) }])
  },
)

test.each(['\\ud800', 'a\\udc00', '\\udc00\\ud800', '\\u0000'])(
  'returns 422 for text that cannot be stored: %s',
  async (name) => {
    const answer = await send('POST', '/test/things', `{"name":"${name}"}`, { headers: json })
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details).toEqual([{ field: 'name', message: 'is not valid' }])
    const whole = await send('POST', '/test/things', '{"name":"\\ud83c\\udfba"}', { headers: json })
    expect(whole.body.data.name).toBe('🎺')
  },
)

test('names at most twenty unknown keys', async () => {
  const keys = Array.from({ length: 500 }, (_, number) => [`k${number}`, 1])
  const answer = await post('/test/things', { name: 'a', ...Object.fromEntries(keys) })
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details).toHaveLength(20)
  expect(answer.body.details[0]).toEqual({ field: 'k0', message: 'is not a known field' })
})

test.each(['{', '{"name":"a"', 'é'])('returns 400 for unreadable JSON: %s', async (body) => {
  expect(await send('POST', '/test/things', body, { headers: json })).toBeError(400, 'malformed_request')
})

test('returns 400 for JSON that is not UTF-8', async () => {
  const body = Buffer.from('{"name":"Chambéry"}', 'latin1')
  const headers = { ...json, 'x-app-source': 'public' }
  const answer = await fetch(`${url}/api/v1/test/things`, { method: 'POST', headers, body })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: 'malformed_request' })
})

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/jsonx',
  'multipart/form-data; boundary=x',
])('returns 415 for a body of %s', async (type) => {
  const answer = await send('POST', '/test/things', '{"name":"a"}', { headers: { 'content-type': type } })
  expect(answer).toBeError(415, 'unsupported_media_type')
})

test.each(['gzip', 'br', 'gzip, identity'])('returns 415 for a body encoded as %s', async (encoding) => {
  const headers = { ...json, 'content-encoding': encoding }
  expect(await send('POST', '/test/things', '{"name":"a"}', { headers })).toBeError(
    415,
    'unsupported_media_type',
  )
  expect((await send('PATCH', '/test/things/1', undefined, { headers })).body).toEqual({ data: 'no body' })
})

test('accepts a body encoded as identity', async () => {
  const headers = { ...json, 'content-encoding': 'identity' }
  expect((await send('POST', '/test/things', '{"name":"a"}', { headers })).status).toBe(201)
})

test.each([undefined, 'application/json', 'text/plain'])(
  'an empty body counts as no body, as %s',
  async (type) => {
    const headers = type === undefined ? {} : { 'content-type': type }
    const answer = await send('PATCH', '/test/things/1', undefined, { headers })
    expect(answer.body).toEqual({ data: 'no body' })
    expect(await send('POST', '/test/things', undefined, { headers })).toBeError(422, 'validation_failed')
  },
)

test('returns 413 for a body over 1 MB', async () => {
  expect(await patch('/test/things/1', { name: 'x'.repeat(1_100_000) })).toBeError(413, 'payload_too_large')
})

test('returns 500 without details for an internal error', async () => {
  const answer = await get('/test/broken')
  expect(answer).toBeError(500, 'internal_error')
  expect(answer.text).not.toMatch(/secret|postgres|stack|\.ts/)
})

test.each([
  ['fr', 'fr'],
  ['fr-CA,en;q=0.5', 'fr'],
  ['en;q=0.5, fr;q=0.9', 'fr'],
  ['fr, en', 'fr'],
  ['en, fr', 'en'],
  ['de, fr, en', 'fr'],
  ['en-x-fr, fr', 'en'],
  ['de', 'en'],
  ['fr;q=0', 'en'],
  ['nonsense;;;q=', 'en'],
])('Accept-Language %s gets %s with the same code', async (header, language) => {
  const answer = await get('/test/taken', { headers: { 'accept-language': header } })
  expect(answer).toBeError(409, 'conflict')
  expect(answer.body.message.includes('enregistrement')).toBe(language === 'fr')
  const invalid = await get('/communes?page=0', { headers: { 'accept-language': header } })
  expect(invalid.body.details[0].message).toBe(
    language === 'fr' ? 'doit valoir au moins 1' : 'must be at least 1',
  )
})

test.each<[object, string, string]>([
  [{ colour: 'pink' }, 'must be one of red, green, blue or null', 'doit valoir red, green, blue ou null'],
  [{ note: 1 }, 'must be of type string or null', 'doit être un texte ou null'],
  [{ name: 1 }, 'must be of type string', 'doit être un texte'],
  [{ count: 'un' }, 'must be of type integer', 'doit être un nombre entier'],
  [{ is_new: 1 }, 'must be of type boolean', 'doit être vrai ou faux (true ou false)'],
  [{ tags: 'a' }, 'must be of type array', 'doit être une liste'],
  [{ tags: [] }, 'must have at least 1 item', 'doit avoir au moins 1 élément'],
  [{ name: 'a'.repeat(11) }, 'must have at most 10 characters', 'doit avoir au plus 10 caractères'],
  [{ day: '5/12/2026' }, 'must be a valid date', 'doit être une date, comme 2026-11-20'],
])('names the values that a field may have: %j', async (fields, en, fr) => {
  for (const [language, message] of Object.entries({ en, fr })) {
    const headers = { 'accept-language': language }
    const { body } = await post('/test/things', { name: 'a', ...fields }, { headers })
    expect(body.details).toEqual([{ field: Object.keys(fields)[0], message }])
  }
})

test('an unknown route and an unsupported method return the same 404', async () => {
  const unknown = await get('/nowhere')
  expect(unknown).toBeError(404, 'not_found')
  for (const [method, path] of [
    ['PUT', '/communes'],
    ['DELETE', '/communes'],
    ['OPTIONS', '/communes'],
    ['GET', '/notifications'],
  ]) {
    const answer = await send(method ?? '', path ?? '')
    expect(answer).toBeError(404, 'not_found')
    expect(answer.text).toBe(unknown.text)
  }
})

test("every response carries its own request id, never the client's", async () => {
  const ids = new Set<string | null>()
  for (const path of ['/communes', '/nowhere', '/communes/%ff', '/test/broken', '/communes?page=0']) {
    ids.add((await get(path, { headers: { 'x-request-id': 'forged' } })).headers.get('x-request-id'))
  }
  expect(ids.size).toBe(5)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
})

test('responses other than public reads are not cached', async () => {
  for (const path of ['/nowhere', '/test/taken', '/communes?page=0']) {
    expect((await get(path)).headers.get('cache-control')).toBe('no-store')
  }
  const made = await post('/test/things', { name: 'a' })
  expect(made.headers.get('cache-control')).toBe('no-store')
  expect(made.headers.get('etag')).toBeNull()
})

test('every response carries the security headers', async () => {
  for (const path of ['/communes', '/nowhere', '/%zz']) {
    const { headers } = await get(path)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
    })
    expect(headers.get('server')).toBeNull()
  }
})

test.each([
  'NONSENSE\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: a\r\nX: \u0001\r\n\r\n',
  `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
  'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
])('returns 400 in the usual shape for input that is not HTTP', async (bytes) => {
  const answer = await talk(bytes)
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*X-Request-Id: [0-9a-f-]{36}\r\n.*"error":"malformed_request"/is)
})

test.each([
  'Host: a\r\nHost: a',
  'Host: a\r\nhost: b',
  'Host:',
  'Host: a b',
  'Host: a/b',
  'Host: user@a',
  'Host: a:b',
  'Host: [::1',
])('returns 400 for a missing, repeated or malformed Host: %j', async (lines) => {
  for (const path of ['/healthz', '/api/v1/communes', '/nowhere']) {
    const head = `GET ${path} HTTP/1.1\r\n${lines}\r\nX-App-Source: public\r\nConnection: close\r\n\r\n`
    expect(await talk(head)).toMatch(/^HTTP\/1\.1 400 .*"error":"malformed_request"/s)
  }
})

test.each(['a', 'a.example:8080', '127.0.0.1:3000', '[::1]:3000', 'xn--9ca.example.', 'my_host'])(
  'accepts the host %s',
  async (host) => {
    const head = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    expect(await talk(head)).toMatch(/^HTTP\/1\.1 200 /)
  },
)

test('ignores an unknown Expect header', async () => {
  const headers = 'Host: a\r\nConnection: close\r\nExpect: the unexpected\r\n'
  expect(await talk(`GET /healthz HTTP/1.1\r\n${headers}\r\n`)).toMatch(/^HTTP\/1\.1 200 .*"alive"/s)
})

function talk(bytes: string): Promise<string> {
  const { port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connectSocket(Number(port), '127.0.0.1', () => socket.write(bytes))
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('close', () => resolve(received)).on('error', reject)
  return promise
}
