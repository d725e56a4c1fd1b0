import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { fc, propertyRuns } from '../../../../test/support/fast-check.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { type Lies, openLiar } from './lying-provider.test-kit.ts'
import { callbackPath } from './provider.ts'
import { createVisitor } from './visitor.test-kit.ts'

const liar = await openLiar()
const world = await openWorld({ env: liar.env })
const { db } = world
afterEach(() => {
  liar.lies = {}
})

/** Signs in while the provider responds incorrectly. */
async function signIn(lies: Lies = {}, params: Record<string, string> = {}, of = world) {
  const visitor = createVisitor(of)
  const start = await visitor.start()
  liar.lies = lies
  const shown = await visitor.comeBack(liar.backFrom(start, params))
  return { visitor, shown, status: shown.status, isIn: visitor.cookies.has('parvis_session') }
}

const users = async () => (await db.selectFrom('users').select('id').execute()).length
const now = () => Math.floor(Date.now() / 1_000)
const unsigned = (claims: object) =>
  `${[{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`

test('signs in with an honest provider', async () => {
  expect(await signIn()).toMatchObject({ status: 200, isIn: true })
})

test.each<[string, Lies, Record<string, string>?]>([
  ['another nonce', { claims: { nonce: 'x'.repeat(43) } }],
  ['no nonce', { claims: { nonce: undefined } }],
  ['another issuer', { claims: { iss: 'https://evil.example' } }],
  ['another audience', { claims: { aud: 'another-client' } }],
  ['one more audience', { claims: { aud: ['parvis', 'another-client'] } }],
  ['another authorised party', { claims: { aud: ['parvis'], azp: 'another-client' } }],
  ['an expired token', { claims: { exp: now() - 60, iat: now() - 360 } }],
  ['a token without an end', { claims: { exp: undefined } }],
  ['a token of the future', { claims: { iat: now() + 600 } }],
  ['a token that is not valid yet', { claims: { nbf: now() + 600 } }],
  ['no subject', { claims: { sub: undefined } }],
  ['an empty subject', { claims: { sub: '' }, userinfo: { sub: '' } }],
  ['a subject with NUL', { claims: { sub: 'a\0b' }, userinfo: { sub: 'a\0b' } }],
  ['a subject that is too long', { claims: { sub: 'a'.repeat(256) }, userinfo: { sub: 'a'.repeat(256) } }],
  ['a foreign key', { foreignKey: true }],
  ['a key that is not published', { header: { kid: 'two' } }],
  ['no ID token', { idToken: null }],
  [
    'an unsigned ID token',
    { idToken: unsigned({ iss: liar.issuer, sub: 'zoe', aud: 'parvis', exp: now() + 300 }) },
  ],
  ['what is no token', { idToken: 'a.b.c' }],
  ['userinfo of somebody else', { userinfo: { sub: 'leo' } }],
  ['userinfo signed by a foreign key', { signsUserinfo: 'foreign' }],
  ['userinfo signed for another client', { signsUserinfo: 'own', userinfo: { aud: 'another-client' } }],
  ['an answer of another issuer (mix-up)', {}, { iss: 'https://evil.example' }],
  ['an error', {}, { error: 'access_denied' }],
  ['no code', {}, { code: '' }],
])('lets nobody in with %s', async (_title, lies, params) => {
  const before = await users()
  const { shown, status, isIn } = await signIn(lies, params)
  expect([status, isIn]).toEqual([401, false])
  expect(shown.text).toContain('La connexion n’a pas abouti')
  expect(await users()).toBe(before)
})

test('refuses a callback without the issuer if the provider announces that it sends it', async () => {
  const visitor = createVisitor(world)
  const back = new URL(liar.backFrom(await visitor.start()))
  back.searchParams.delete('iss')
  expect((await visitor.comeBack(back)).status).toBe(401)
})

test('a code that the provider refuses is refused', async () => {
  const refuses = (_request: IncomingMessage, response: ServerResponse) =>
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}')
  expect(await signIn({ answers: { '/token': refuses } })).toMatchObject({ status: 401, isIn: false })
})

const cut = (request: IncomingMessage) => request.socket.destroy()
const fails = (_request: IncomingMessage, response: ServerResponse) =>
  response.writeHead(502).end('<h1>Oh</h1>')
const floods = (_request: IncomingMessage, response: ServerResponse) => {
  response.setHeader('content-type', 'application/json')
  const more = () => {
    while (response.write(Buffer.alloc(64_000, ' ')));
  }
  response.on('drain', more)
  more()
}
const silent = () => {}

test.each<[string, Lies]>([
  ['cuts the connection', { answers: { '/token': cut } }],
  ['fails', { answers: { '/token': fails } }],
  ['fails to say who it is', { answers: { '/userinfo': fails } }],
  ['sends without end', { answers: { '/token': floods } }],
  ['does not answer', { answers: { '/token': silent } }],
  [
    'redirects',
    { answers: { '/token': (_request, response) => response.writeHead(307, { location: '/keys' }).end() } },
  ],
])('returns 503 with a page when the provider %s, and counts no failure', async (_title, lies) => {
  const limited = await openWorld({ env: { ...liar.env, RATE_LIMIT_SIGN_IN: '1/hour' } })
  const { shown, status, isIn } = await signIn(lies, {}, limited)
  expect([status, isIn]).toEqual([503, false])
  expect(shown.text).toContain('Le fournisseur d’identité ne répond pas')
  expect(await signIn({}, {}, limited)).toMatchObject({ status: 200, isIn: true })
  expect(await signIn({ foreignKey: true }, {}, limited)).toMatchObject({ status: 401 })
  expect(await signIn({}, {}, limited)).toMatchObject({ status: 429, isIn: false })
})

test.each<[string, Lies]>([
  ['down', { answers: { '/.well-known/openid-configuration': cut } }],
  ['another one', { discovery: { issuer: 'https://evil.example' } }],
  ['in the clear where it should not be', { discovery: { token_endpoint: 'ftp://127.0.0.1/' } }],
])('a provider that is %s at the start stops nothing', async (_title, lies) => {
  liar.lies = lies
  const other = await openWorld({ env: liar.env })
  expect((await other.client({}).get('/auth/methods')).body.data.oidc).toEqual({ label: 'ProConnect' })
  const visitor = createVisitor(other)
  const back = liar.backFrom(await visitor.start())
  expect((await visitor.comeBack(back)).status).not.toBe(200)
  expect((await other.client({}).get('/communes')).status).toBe(200)
})

const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    'a-code',
    '%00',
    '%',
    '%ff',
    '__proto__',
    '\ud800',
    '{}',
    '../',
    '\r\nset-cookie: a=b',
    'é',
  ),
)
const parameter = fc.tuple(
  fc.constantFrom(
    'code',
    'state',
    'iss',
    'error',
    'error_description',
    'id_token',
    'response',
    'session_state',
    '[',
  ),
  odd,
)

test('no callback returns 500, with any query and cookies', async () => {
  const visitor = createVisitor(world)
  await visitor.start()
  const real = visitor.cookies.get('parvis_oidc')?.value ?? ''
  const cookie = fc.oneof(
    fc.constant(real),
    fc
      .nat(real.length - 1)
      .map((at) => `${real.slice(0, at)}${real[at] === 'A' ? 'B' : 'A'}${real.slice(at + 1)}`),
    fc.nat(real.length).map((end) => real.slice(0, end)),
    fc.base64String({ maxLength: 5_000 }).map((text) => text.replaceAll(/[+/=]/g, '-')),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(parameter, { maxLength: 6 }),
      cookie,
      fc.boolean(),
      async (pairs, value, isEncoded) => {
        const query = isEncoded
          ? new URLSearchParams(pairs).toString()
          : pairs.map(([name, text]) => `${name}=${text.replaceAll(/[^\x21-\x7e]|#/g, '')}`).join('&')
        const response = await fetch(`${world.url}${callbackPath}?${query}`, {
          headers: { cookie: `parvis_oidc=${value}; parvis_session=${value.slice(0, 43)}` },
        })
        expect([401, 422]).toContain(response.status)
        expect(response.headers.getSetCookie()).toEqual([])
        await response.body?.cancel()
      },
    ),
    { numRuns: propertyRuns() },
  )
})

test('any invalid response of the provider gives a refusal or 503', async () => {
  const body = fc.oneof(
    fc.json({ maxDepth: 2 }),
    fc.string(),
    fc
      .dictionary(
        fc.constantFrom('access_token', 'token_type', 'id_token', 'expires_in', 'error'),
        fc.jsonValue(),
      )
      .map((said) => JSON.stringify({ access_token: 'a', token_type: 'Bearer', ...said })),
  )
  const type = fc.constantFrom('application/json', 'application/jwt', 'text/html', 'nonsense')
  const status = fc.constantFrom(200, 201, 204, 302, 400, 401, 404, 429, 500, 599)
  const at = fc.constantFrom('/token', '/userinfo')
  await fc.assert(
    fc.asyncProperty(at, status, type, body, async (path, code, contentType, content) => {
      const answers = (_request: IncomingMessage, response: ServerResponse) =>
        response.writeHead(code, { 'content-type': contentType }).end(content)
      const { status: shown, isIn } = await signIn({ answers: { [path]: answers } })
      expect([401, 503]).toContain(shown)
      expect(isIn).toBe(false)
    }),
    { numRuns: propertyRuns(1 / 2) },
  )
})

test('runs discovery once for many sign-ins, and does not retry immediately after a failure', async () => {
  const other = await openWorld({ env: liar.env })
  liar.asked.clear()
  await Promise.all(Array.from({ length: 5 }, () => createVisitor(other).start()))
  expect(liar.asked.get('/.well-known/openid-configuration')).toBe(1)
  liar.lies = { answers: { '/.well-known/openid-configuration': fails } }
  const failing = await openWorld({ env: liar.env })
  liar.asked.clear()
  for (let n = 0; n < 3; n++)
    expect(await failing.client({ source: null }).get('/auth/oidc/start')).toBeError(503, 'unavailable')
  expect(liar.asked.get('/.well-known/openid-configuration')).toBe(1)
})

test('the number of callbacks waiting for a provider is limited; other requests do not wait', async () => {
  let waiting = 0
  const answers: (() => void)[] = []
  const slow = (_request: IncomingMessage, response: ServerResponse) => {
    waiting++
    answers.push(() =>
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}'),
    )
    if (waiting === 20) full.resolve()
  }
  const full = Promise.withResolvers<void>()
  const attempts = await Promise.all(
    Array.from({ length: 21 }, async () => {
      const visitor = createVisitor(world)
      return { visitor, back: liar.backFrom(await visitor.start()) }
    }),
  )
  liar.lies = { answers: { '/token': slow } }
  const [last, ...others] = attempts
  const shown = others.map(({ visitor, back }) => visitor.comeBack(back))
  await full.promise
  expect((await last?.visitor.comeBack(last.back))?.status).toBe(503)
  expect((await world.client({}).get('/communes')).status).toBe(200)
  for (const answer of answers) answer()
  expect((await Promise.all(shown)).map(({ status }) => status)).toEqual(others.map(() => 401))
})
