import type { Configuration } from 'openid-client'
import { type Config, settingsOf } from '../../../platform/config/config.ts'
import { unavailable } from '../../../platform/errors.ts'
import { FetchFailed } from '../../../platform/fetch/fetch-failed.ts'
import { createGuardedFetch } from '../../../platform/fetch/guarded-fetch.ts'
import type { Attempt } from './attempts.ts'
import { type OidcSettings, oidcSettings } from './settings.ts'

/** Lists the error and its chain of causes. */
function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = []
  for (let one = error; one !== undefined && causes.length < 6; one = (one as { cause?: unknown })?.cause)
    causes.push(one)
  return causes
}

/** True if the provider was unavailable; false if its response was refused. */
const isUnavailable = (error: unknown): boolean =>
  causesOf(error).some((cause) => {
    if (cause instanceof FetchFailed) return true
    const status = cause instanceof Response ? cause.status : (cause as { status?: unknown } | null)?.status
    return typeof status === 'number' && (status >= 500 || status === 429)
  })

/**
 * Returns a short reason for the log. Quotes nothing of the provider's response but the OAuth error code,
 * because the rest may hold tokens, addresses and names.
 */
function reasonOf(error: unknown): string {
  const messages = causesOf(error).flatMap((cause) => {
    if (!(cause instanceof Error)) return []
    const { error: code } = cause as { error?: unknown }
    return typeof code === 'string' && /^\w{1,50}$/.test(code) ? [cause.message, code] : [cause.message]
  })
  return messages.join(': ').slice(0, 300)
}

/** Verified claims of a user: signature, issuer, audience, nonce and times were checked. */
export type Proof = {
  claims: Record<string, unknown>
  /** Null if sign-out cannot use it: the provider has no address for that, or the token is too long. */
  idToken: string | null
}

export type Provider = {
  settings: OidcSettings
  /** Returns the address of the provider's sign-in. Confirming a session requires a fresh sign-in there. */
  authorizationUrl(attempt: Attempt): Promise<string>
  /** Redeems the code of a callback. Throws `Refused`, or 503 if the provider is unavailable. */
  redeem(callback: URL, attempt: Attempt): Promise<Proof>
  /** Returns the address that ends the provider's own session; null if it has none or is unavailable. */
  endSessionUrl(idToken: string | null): Promise<string | null>
}

/** Thrown when the provider's response is not accepted. The reason holds no personal data. */
export class Refused extends Error {}

export const callbackPath = '/api/v1/auth/oidc/callback'
const documentMaxAgeMs = 3_600_000
const retryAfterMs = 5_000
const timeoutMs = 4_000
const longestToken = 6_000

/** Returns the provider, one per configuration, so that routes share its cache; null if off. */
export function providerOf(config: Config): Provider | null {
  const settings = settingsOf(config, oidcSettings)
  if (settings === null) return null
  const provider = providers.get(config) ?? createProvider(settings, config.publicUrl)
  providers.set(config, provider)
  return provider
}

const providers = new WeakMap<Config, Provider>()

/** Loaded on first use, for a faster start. */
const openid = () => import('openid-client')

function createProvider(settings: OidcSettings, publicUrl: string): Provider {
  const discovered = cached(() => discover(settings))
  const { scopes, pkce } = settings

  return {
    settings,
    async authorizationUrl({ state, nonce, verifier, former }) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await openid()
      const configuration = await discovered()
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: `${publicUrl}${callbackPath}`,
        scope: scopes,
        state,
        nonce,
        ...(pkce && {
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        }),
        ...(former?.confirms && { prompt: 'login', ...(pkce && { max_age: '0' }) }),
      })
      return url.href
    },
    async redeem(callback, { state, nonce, verifier }) {
      const { authorizationCodeGrant, fetchUserInfo } = await openid()
      const configuration = await discovered()
      try {
        const tokens = await authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          ...(pkce && { pkceCodeVerifier: verifier }),
        })
        const claims = tokens.claims()
        if (claims === undefined || tokens.id_token === undefined) throw new Refused('no ID token')
        // The library checks `azp` only when there are several audiences.
        if ((claims.azp ?? settings.clientId) !== settings.clientId) throw new Refused('another client (azp)')
        const { userinfo_endpoint, end_session_endpoint } = configuration.serverMetadata()
        const more =
          userinfo_endpoint === undefined
            ? {}
            : await fetchUserInfo(configuration, tokens.access_token, claims.sub)
        const isKept = end_session_endpoint !== undefined && tokens.id_token.length <= longestToken
        // Identity and times come only from the ID token.
        const { iss, sub, iat, auth_time } = claims
        return {
          claims: { ...claims, ...more, iss, sub, iat, auth_time },
          idToken: isKept ? tokens.id_token : null,
        }
      } catch (error) {
        if (isUnavailable(error)) throw unavailable(new Error(`identity provider: ${reasonOf(error)}`))
        throw error instanceof Refused ? error : new Refused(reasonOf(error))
      }
    },
    async endSessionUrl(idToken) {
      const configuration = await discovered().catch(() => null)
      const endpoint = configuration?.serverMetadata().end_session_endpoint
      if (endpoint === undefined) return null
      const url = new URL(endpoint)
      // Some providers refuse a request that has both the token and the client id.
      if (idToken === null) url.searchParams.set('client_id', settings.clientId)
      else url.searchParams.set('id_token_hint', idToken)
      url.searchParams.set('post_logout_redirect_uri', `${publicUrl}/backoffice/sign-in`)
      url.searchParams.set('state', (await openid()).randomState())
      return url.href
    },
  }
}

/** Allows private addresses, because the operator chose the provider; follows no redirects. */
const guardedFetch = createGuardedFetch({
  allowPrivate: true,
  timeoutMs,
  maxBytes: 1_000_000,
  maxRedirects: 0,
})

async function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const client = await openid()
  const isInsecure = issuer.startsWith('http:')
  const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    [client.customFetch]: sendGuarded,
    execute: isInsecure ? [client.allowInsecureRequests] : [],
  })
  const metadata = { ...found.serverMetadata() }
  // Compared exactly, because the issuer is part of each user's identity. Some providers respond with a
  // template for issuers, which would let in users of any of them.
  if (metadata.issuer !== issuer) throw new Refused(`OIDC_ISSUER is not the issuer ${metadata.issuer}`)
  const algorithms = metadata.id_token_signing_alg_values_supported
  if (algorithms !== undefined) metadata.userinfo_signing_alg_values_supported ??= algorithms
  const byHeader = client.ClientSecretBasic(clientSecret)
  const byBody = client.ClientSecretPost(clientSecret)
  const ways = metadata.token_endpoint_auth_methods_supported
  const authenticate = ways === undefined || ways.includes('client_secret_post') ? byBody : byHeader
  const known = { [client.clockTolerance]: 5 }
  const configuration = new client.Configuration(metadata, clientId, known, authenticate)
  configuration[client.customFetch] = sendGuarded
  if (isInsecure) client.allowInsecureRequests(configuration)
  // Without this, the library does not check the signatures of ID tokens.
  client.enableNonRepudiationChecks(configuration)
  return configuration
}

type Sent = { headers: Record<string, string>; body?: unknown; signal?: AbortSignal }

async function sendGuarded(url: string, { headers, body, signal }: Sent): Promise<Response> {
  const text = body === undefined || body === null ? {} : { body: String(body) }
  const answer = await guardedFetch(url, { headers, ...text, ...(signal && { signal }) })
  const isEmpty = [204, 205, 304].includes(answer.status)
  return new Response(isEmpty ? null : new Uint8Array(answer.body), {
    status: answer.status,
    headers: [...answer.headers],
  })
}

/**
 * Caches the discovery document for an hour, and longer while the provider is unavailable. Without a cached
 * document, retries after five seconds at the earliest. Concurrent requests share one attempt.
 */
function cached(discoverNow: () => Promise<Configuration>): () => Promise<Configuration> {
  let known: Configuration | null = null
  let next = 0
  let failure: unknown = null
  let pending: Promise<void> | null = null

  async function renew(): Promise<void> {
    try {
      known = await discoverNow()
      next = performance.now() + documentMaxAgeMs
    } catch (error) {
      failure = new Error(`identity provider: ${reasonOf(error)}`)
      next = performance.now() + retryAfterMs
    } finally {
      pending = null
    }
  }
  return async () => {
    if (performance.now() >= next) {
      pending ??= renew()
      // A request with a cached document does not wait for the new one.
      if (known === null) await pending
    }
    if (known === null) throw unavailable(failure)
    return known
  }
}
