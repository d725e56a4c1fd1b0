import { createServer } from 'node:http'
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { jwtSecret as secret } from '../../../test/support/factories.ts'
import { openWorld } from '../../../test/support/world.ts'
import { readConfig } from '../config/config.ts'
import { ApiError } from '../errors.ts'
import { createTokenVerifier, isFresh, ownIssuer, signToken, validFromAfterRevocation } from './tokens.ts'

const issuer = 'https://id.example/'
const audience = 'parvis'
const provider = await openProvider()
const keys = {
  RS256: await provider.addKey('RS256'),
  ES256: await provider.addKey('ES256'),
  EdDSA: await provider.addKey('EdDSA'),
}
const env = {
  AUTH_JWT_SECRET: secret,
  AUTH_JWKS_URL: provider.url,
  AUTH_ISSUER: issuer,
  AUTH_AUDIENCE: audience,
}
const verify = createTokenVerifier(readConfig([], env), () => new Date())
afterEach(() => void vi.useRealTimers())
const nowS = () => Math.floor(Date.now() / 1000)

/** Starts a real key server on a free port whose keys can be changed. */
async function openProvider() {
  const keys: (GenerateKeyPairResult & { alg: string; kid: string })[] = []
  let reads = 0
  const server = createServer(async (_request, response) => {
    reads++
    const published = keys.map(async ({ publicKey, alg, kid }) => ({
      ...(await exportJWK(publicKey)),
      alg,
      kid,
      use: 'sig',
    }))
    response.end(JSON.stringify({ keys: await Promise.all(published) }))
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  afterAll(() => void server.close())
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}/jwks`,
    reads: () => reads,
    async addKey(alg: string) {
      const key = { ...(await generateKeyPair(alg)), alg, kid: `${alg}-${keys.length}` }
      keys.push(key)
      return key
    },
    removeKeys: () => keys.splice(0),
    close: () => server.close(),
  }
}

type Claims = Record<string, unknown>
const claims = (): Claims => ({ iss: issuer, aud: audience, sub: 'someone', exp: nowS() + 600, iat: nowS() })

function sign(key: { privateKey: CryptoKey; alg: string; kid: string }, payload: Claims): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg: key.alg, kid: key.kid }).sign(key.privateKey)
}

const own = (payload: Claims, header: Claims = {}, key = secret) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'HS256', ...header }).sign(new TextEncoder().encode(key))

const refused = (token: string) =>
  expect(verify(token), token).rejects.toMatchObject({ code: 'unauthenticated' })

test.each(['RS256', 'ES256', 'EdDSA'] as const)(
  'accepts a token of the identity provider signed with its key: %s',
  async (alg) => {
    const token = await sign(keys[alg], {
      ...claims(),
      email: 'a@b.example',
      email_verified: true,
    })
    expect(await verify(token)).toMatchObject({
      issuer,
      subject: 'someone',
      email: 'a@b.example',
      emailVerified: true,
    })
  },
)

test.each(['true', 1, 'false', null])(
  'does not treat an address as verified when email_verified is %j',
  async (email_verified) => {
    const token = await sign(keys.ES256, { ...claims(), email: 'a@b.example', email_verified })
    expect(await verify(token)).toMatchObject({ email: 'a@b.example', emailVerified: false })
  },
)

test('accepts a key that the provider adds later and refuses one that it withdrew', async () => {
  const changing = await openProvider()
  const fresh = createTokenVerifier(readConfig([], { ...env, AUTH_JWKS_URL: changing.url }), () => new Date())
  const first = await changing.addKey('ES256')
  await fresh(await sign(first, claims()))
  const second = await changing.addKey('ES256')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 })
  await fresh(await sign(second, claims()))
  changing.removeKeys()
  await changing.addKey('ES256')
  vi.setSystemTime(Date.now() + 11 * 60_000)
  await expect(fresh(await sign(second, claims()))).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('refuses a remembered token of a withdrawn key as soon as the key set was fetched again', async () => {
  const changing = await openProvider()
  const fresh = createTokenVerifier(readConfig([], { ...env, AUTH_JWKS_URL: changing.url }), () => new Date())
  const token = await sign(await changing.addKey('ES256'), { ...claims(), exp: nowS() + 3_600 })
  for (let n = 0; n < 3; n++) await fresh(token)
  changing.removeKeys()
  const other = await changing.addKey('EdDSA')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 })
  await fresh(await sign(other, claims()))
  await expect(fresh(token)).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('refuses a remembered token when its key set cannot be fetched any more', async () => {
  const changing = await openProvider()
  const fresh = createTokenVerifier(readConfig([], { ...env, AUTH_JWKS_URL: changing.url }), () => new Date())
  const token = await sign(await changing.addKey('ES256'), { ...claims(), exp: nowS() + 3_600 })
  for (let n = 0; n < 3; n++) await fresh(token)
  changing.close()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
  await expect(fresh(token)).rejects.toMatchObject({ code: 'unavailable' })
})

test('refuses a remembered token after its expiry, and distinguishes tokens with the same signature', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') })
  const token = await own({ sub: 'a', exp: nowS() + 60 })
  for (let n = 0; n < 3; n++) expect(await verify(token)).toMatchObject({ subject: 'a' })
  const [header, , signature] = token.split('.')
  const other = Buffer.from(JSON.stringify({ sub: 'b', exp: nowS() + 60 })).toString('base64url')
  await refused(`${header}.${other}.${signature}`)
  vi.setSystemTime(Date.now() + 66_000)
  await refused(token)
})

test('tries each key of the algorithm when a token names no key, as during a key rotation', async () => {
  const changing = await openProvider()
  const fresh = createTokenVerifier(readConfig([], { ...env, AUTH_JWKS_URL: changing.url }), () => new Date())
  const signWithout = (privateKey: CryptoKey, payload: Claims) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'ES256' }).sign(privateKey)
  const two = [await changing.addKey('ES256'), await changing.addKey('ES256')]
  for (const { privateKey } of two) {
    expect(await fresh(await signWithout(privateKey, claims()))).toMatchObject({ subject: 'someone' })
    const late = await signWithout(privateKey, { ...claims(), exp: nowS() - 60 })
    await expect(fresh(late)).rejects.toMatchObject({ code: 'unauthenticated' })
  }
  const { privateKey: strange } = await generateKeyPair('ES256')
  await expect(fresh(await signWithout(strange, claims()))).rejects.toMatchObject({ code: 'unauthenticated' })
})

test('fetches the key set at most every few seconds, however many tokens name an unknown key', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const fresh = createTokenVerifier(readConfig([], env), () => new Date())
  const stranger = { ...(await generateKeyPair('ES256')), alg: 'ES256' }
  const before = provider.reads()
  for (let i = 0; i < 20; i++) {
    await expect(fresh(await sign({ ...stranger, kid: `unknown-${i}` }, claims()))).rejects.toThrow()
  }
  expect(provider.reads() - before).toBeLessThanOrEqual(2)
})

test('returns 503, not 401, when the keys cannot be fetched', async () => {
  const away = createTokenVerifier(
    readConfig([], { ...env, AUTH_JWKS_URL: 'http://127.0.0.1:1/jwks' }),
    () => new Date(),
  )
  await expect(away(await sign(keys.ES256, claims()))).rejects.toMatchObject({ code: 'unavailable' })
})

test('accepts tokens of the service itself, with and without an issuer', async () => {
  expect(await verify(await signToken(secret, 'me', 'me@example.org', 60, new Date()))).toMatchObject({
    issuer: ownIssuer,
    subject: 'me',
  })
  expect(await verify(await own({ sub: 'me', exp: nowS() + 60 }))).toMatchObject({
    issuer: ownIssuer,
    issuedAt: null,
  })
})

test('tolerates a clock difference of five seconds and no more', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') })
  await verify(await own({ sub: 'a', exp: nowS() - 4 }))
  await refused(await own({ sub: 'a', exp: nowS() - 5 }))
  await verify(await own({ sub: 'a', exp: nowS() + 60, nbf: nowS() + 5, iat: nowS() + 5 }))
  await refused(await own({ sub: 'a', exp: nowS() + 60, nbf: nowS() + 6 }))
  await refused(await own({ sub: 'a', exp: nowS() + 60, iat: nowS() + 6 }))
})

test('a token is fresh for five minutes after its owner signed in', async () => {
  const now = new Date('2026-11-20T12:00:00Z')
  vi.useFakeTimers({ toFake: ['Date'], now })
  const age = async (auth_time: unknown, iat: number | undefined = nowS()) =>
    isFresh((await verify(await own({ sub: 'a', exp: nowS() + 600, iat, auth_time }))).authenticatedAt, now)
  expect(await Promise.all([0, 299, 300].map((seconds) => age(nowS() - seconds)))).toEqual([true, true, true])
  expect(await age(nowS() - 301)).toBe(false)
  // A clock that runs ahead by as much as is tolerated.
  expect([await age(nowS() + 5), await age(nowS() + 6)]).toEqual([true, false])
  for (const wrong of [undefined, null, '1795176000', Date.now(), -1, 0, true])
    expect(await age(wrong)).toBe(false)
})

test('a token that names a sign-in after its own issue never becomes fresh', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-20T12:00:00Z') })
  const signedIn = new Date(Date.now() + 60_000)
  const times = { iat: nowS(), auth_time: nowS() + 60 }
  const { authenticatedAt } = await verify(await own({ sub: 'a', exp: nowS() + 600, ...times }))
  expect(isFresh(authenticatedAt, signedIn)).toBe(false)
})

test('a token of the command line never confirms: nobody has signed in', async () => {
  const { authenticatedAt } = await verify(await signToken(secret, 'me', 'me@example.org', 60, new Date()))
  expect(isFresh(authenticatedAt, new Date())).toBe(false)
})

test('after a revocation accepts only tokens from beyond the tolerated clock difference', () => {
  const revoked = new Date('2026-11-20T12:00:00Z')
  expect(validFromAfterRevocation(revoked)).toEqual(new Date('2026-11-20T12:00:05.001Z'))
})

test('chooses keys and algorithms by the issuer, never by the token header', async () => {
  const key = keys.RS256
  await verify(await sign(key, claims()))
  const { n = '' } = await exportJWK(key.publicKey)
  await refused(await own({ ...claims() }))
  await refused(await own(claims(), {}, n))
  await refused(await sign(key, { ...claims(), iss: ownIssuer }))
  await refused(await sign(key, { ...claims(), iss: undefined }))
  await refused(await sign(key, { ...claims(), iss: 'https://other.example/' }))
  await refused(await sign(key, { ...claims(), aud: 'another' }))
  await refused(await sign(key, { ...claims(), aud: undefined }))
  await refused(new UnsecuredJWT({ sub: 'a', exp: nowS() + 60 }).encode())
  await refused(new UnsecuredJWT(claims()).encode())
  await refused(await own({ sub: 'a', exp: nowS() + 60 }, { alg: 'HS512' }))
  await refused(await own({ sub: 'a', exp: nowS() + 60 }, { crit: ['x'], x: 1 }).catch(() => 'x.y.z'))
})

test.each([
  ['no exp', { sub: 'a' }],
  ['no sub', { exp: nowS() + 60 }],
  ['an empty sub', { sub: '', exp: nowS() + 60 }],
  ['a sub that is no text', { sub: 12, exp: nowS() + 60 }],
  ['a NUL in its sub', { sub: 'a\0', exp: nowS() + 60 }],
  ['an endless sub', { sub: 'a'.repeat(256), exp: nowS() + 60 }],
  ['an issuer that is no text', { iss: 12, sub: 'a', exp: nowS() + 60 }],
])('refuses a token with %s', async (_what, payload) => {
  await refused(await own(payload as Claims).catch(() => 'x.y.z'))
})

test('refuses a sub of more than 255 characters', async () => {
  const sub = 'a'.repeat(255)
  expect(await verify(await own({ sub, exp: nowS() + 60 }))).toMatchObject({ subject: sub })
})

test('refuses ten thousand mutated tokens', { timeout: 60_000 }, async () => {
  const good = [await own({ sub: 'a', exp: nowS() + 600 }), await sign(keys.ES256, claims())]
  let seed = 42
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  let passed = 0
  for (let i = 0; i < 10_000; i++) {
    const token = good[i % 2] ?? ''
    const mutated = mutate(token, random, alphabet)
    if (sameBytes(mutated, token)) continue
    const outcome = await verify(mutated).then(
      () => 'good',
      (error) => (error instanceof ApiError ? error.code : String(error)),
    )
    if (outcome !== 'unauthenticated') throw new Error(`${outcome}: ${mutated}`)
    passed++
  }
  expect(passed).toBeGreaterThan(9_000)
})

function mutate(token: string, random: (below: number) => number, alphabet: string): string {
  const at = random(token.length)
  const [header = '', payload = '', signature = ''] = token.split('.')
  switch (random(6)) {
    case 0:
      return token.slice(0, at)
    case 1:
      return token.slice(0, at) + alphabet[random(64)] + token.slice(at + 1)
    case 2:
      return token.slice(0, at) + token.slice(at + 1)
    case 3:
      return [Buffer.from('{"alg":"none"}').toString('base64url'), payload, random(2) ? '' : signature].join(
        '.',
      )
    case 4:
      return [
        header,
        Buffer.from(JSON.stringify({ ...claims(), sub: `u${at}` })).toString('base64url'),
        signature,
      ].join('.')
    default:
      return [header, payload, signature.split('').reverse().join('')].join('.')
  }
}

/** The last base64url character may carry unused bits. */
const sameBytes = (one: string, other: string) => {
  const bytes = (token: string) =>
    token
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('hex'))
      .join('.')
  return bytes(one) === bytes(other)
}

test('returns 401 over HTTP for any malformed Authorization header', async () => {
  const { get } = await openWorld()
  for (const authorization of [
    '',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    'bearer a.b.c',
    `Bearer ${'a'.repeat(8_000)}`,
    'Bearer a b',
    'Bearer é',
  ]) {
    const answer = await get('/admin/audit', {
      source: 'backoffice',
      headers: { authorization: Buffer.from(authorization).toString('latin1') },
    })
    expect(answer).toBeError(401, 'unauthenticated')
  }
})
