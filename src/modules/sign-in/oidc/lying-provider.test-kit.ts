import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll } from 'vitest'
import { callbackUrl, settingsFor } from './visitor.test-kit.ts'

/** Ways in which the provider's responses can be wrong. */
export type Lies = {
  claims?: Record<string, unknown>
  /** Signs with a key that is not published. */
  foreignKey?: boolean
  /** Overrides fields of the ID token's header. */
  header?: Record<string, unknown>
  /** Replaces the ID token. */
  idToken?: string | null
  userinfo?: Record<string, unknown>
  /** Signs the userinfo response, with a published key or a foreign one. */
  signsUserinfo?: 'own' | 'foreign'
  discovery?: Record<string, unknown>
  /** Replaces the responses at these paths. */
  answers?: Record<string, (request: IncomingMessage, response: ServerResponse) => void>
}

/** Opens a provider that responds correctly until `lies` is set. */
export async function openLiar() {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  afterAll(() => void server.close())
  afterAll(() => server.closeAllConnections())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = settingsFor(issuer)
  const keys = { own: await generateKeyPair('RS256'), foreign: await generateKeyPair('RS256') }
  const published = { ...(await exportJWK(keys.own.publicKey)), alg: 'RS256', use: 'sig', kid: 'one' }
  const sign = (claims: Record<string, unknown>, key: CryptoKey, header = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key)
  const liar = {
    issuer,
    env,
    server,
    lies: {} as Lies,
    /** Number of requests by path. */
    asked: new Map<string, number>(),
    nonce: '',
    /** Returns the callback address for the attempt that began at `start`. */
    backFrom(start: URL, params: Record<string, string> = {}): string {
      liar.nonce = start.searchParams.get('nonce') ?? ''
      const state = start.searchParams.get('state') ?? ''
      return `${callbackUrl}?${new URLSearchParams({ code: 'a-code', state, iss: issuer, ...params })}`
    },
  }

  async function idToken(): Promise<string | null> {
    const { claims, foreignKey = false, header, idToken } = liar.lies
    if (idToken !== undefined) return idToken
    const now = Math.floor(Date.now() / 1_000)
    const times = { iat: now, exp: now + 300, auth_time: now }
    const said = { iss: issuer, sub: 'zoe', aud: env.OIDC_CLIENT_ID, nonce: liar.nonce, ...times, ...claims }
    return sign(said, (foreignKey ? keys.foreign : keys.own).privateKey, header)
  }
  const pages: Record<string, () => Promise<unknown>> = {
    '/.well-known/openid-configuration': async () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      userinfo_endpoint: `${issuer}/userinfo`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
      ...liar.lies.discovery,
    }),
    '/keys': async () => ({ keys: [published] }),
    '/token': async () => ({
      access_token: 'an-access-token',
      token_type: 'Bearer',
      expires_in: 300,
      id_token: (await idToken()) ?? undefined,
    }),
    '/userinfo': async () => {
      const said = { sub: 'zoe', email: 'zoe@example.org', email_verified: true, ...liar.lies.userinfo }
      const { signsUserinfo } = liar.lies
      if (signsUserinfo === undefined) return said
      return sign({ iss: issuer, aud: env.OIDC_CLIENT_ID, ...said }, keys[signsUserinfo].privateKey)
    },
  }
  server.on('request', async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', issuer)
    liar.asked.set(pathname, (liar.asked.get(pathname) ?? 0) + 1)
    const otherwise = liar.lies.answers?.[pathname]
    if (otherwise !== undefined) return otherwise(request, response)
    const said = await pages[pathname]?.()
    const isToken = typeof said === 'string'
    response.setHeader('content-type', isToken ? 'application/jwt' : 'application/json')
    response.end(isToken ? said : JSON.stringify(said))
  })
  return liar
}
