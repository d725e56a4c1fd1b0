import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { afterAll } from 'vitest'
import { callbackPath } from './provider.ts'
import { callbackUrl, type createVisitor, publicUrl, type Shown, settingsFor } from './visitor.test-kit.ts'

type Options = { signsUserinfo?: boolean; pkce?: boolean; authMethod?: string; origin?: string }

/**
 * Opens a real provider with its login form. The typed name becomes the user, with an address of that name,
 * which is verified unless the name begins with "new".
 */
export async function openProvider({
  signsUserinfo = false,
  pkce = true,
  authMethod = 'client_secret_post',
  origin = publicUrl,
}: Options = {}) {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  afterAll(() => void server.close())
  afterAll(() => server.closeAllConnections())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = settingsFor(issuer, pkce ? {} : { OIDC_PKCE: 'false' })
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'one' }] },
    cookies: { keys: ['a key of cookies for tests'] },
    clients: [
      {
        client_id: env.OIDC_CLIENT_ID,
        client_secret: env.OIDC_CLIENT_SECRET,
        token_endpoint_auth_method: authMethod,
        redirect_uris: [`${origin}${callbackPath}`],
        post_logout_redirect_uris: [`${origin}/backoffice/sign-in`],
        ...(signsUserinfo && { userinfo_signed_response_alg: 'RS256' }),
      },
    ],
    clientAuthMethods: [authMethod],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => pkce },
    features: { jwtUserinfo: { enabled: signsUserinfo } },
    ttl: {
      ...{ AccessToken: 600, AuthorizationCode: 60, IdToken: 600 },
      ...{ Grant: 600, Interaction: 600, Session: 600 },
    },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: `Mx ${id}`,
        email: `${id}@example.org`,
        email_verified: !id.startsWith('new'),
      }),
    }),
  })
  server.on('request', provider.callback())

  /** Fills in the provider's forms; returns the address of its redirect back. */
  async function logIn(visitor: ReturnType<typeof createVisitor>, start: URL, name: string): Promise<string> {
    let shown: Shown = await visitor.open(start.href)
    for (let forms = 0; forms < 3 && !shown.url.startsWith(callbackUrl); forms++) {
      const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(shown.text) ?? []
      const prompt = /name="prompt" value="(\w+)"/.exec(shown.text)?.[1] ?? ''
      const form = prompt === 'login' ? { prompt, login: name, password: 'x' } : { prompt }
      shown = await visitor.open(new URL(action, shown.url).href, { form })
    }
    return shown.url
  }
  return { issuer, env, server, logIn }
}
