import { hash } from 'node:crypto'
import type { JWKSCacheInput, JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from 'jose'
import * as errors from 'jose/errors'
import { createRemoteJWKSet, jwksCache } from 'jose/jwks/remote'
import { decodeJwt } from 'jose/jwt/decode'
import { SignJWT } from 'jose/jwt/sign'
import { jwtVerify } from 'jose/jwt/verify'
import type { Config } from '../config/config.ts'
import { ApiError, raise, unauthenticated, unavailable } from '../errors.ts'
import { foldMailAddress, parseMailAddress } from '../formats/mail-address.ts'
import type { Clock } from '../time/clock.ts'

/** The claims of a valid token. Permissions are never read from it. */
export type Identity = {
  issuer: string
  subject: string
  email: string | null
  /** Null when the token says nothing about it. */
  emailVerified: boolean | null
  name: string | null
  issuedAt: Date | null
  /** When the person last signed in (`auth_time`). A refreshed token has another `iat`, and the same time here. */
  authenticatedAt: Date | null
}
export type VerifyToken = (token: string) => Promise<Identity>

export const ownIssuer = 'parvis'
const clockToleranceS = 5

/** Verifies tokens. The issuer decides which keys and algorithms apply, never the token's header. */
export function createTokenVerifier({ auth }: Pick<Config, 'auth'>, clock: Clock): VerifyToken {
  const { issuer, audience } = auth.jwks
  const encode = (secret: string) => new TextEncoder().encode(secret)
  const secrets = auth.jwtSecret === null ? [] : [auth.jwtSecret, ...auth.olderJwtSecrets].map(encode)
  const keys = auth.jwks.url === null ? null : remoteKeys(auth.jwks.url)

  async function verify(token: string): Promise<Verified> {
    const options = { clockTolerance: clockToleranceS, currentDate: clock(), requiredClaims: ['exp', 'sub'] }
    const claimed = decodeJwt(token).iss ?? ownIssuer
    const [newest, ...older] = secrets
    if (claimed === ownIssuer && newest !== undefined) {
      const own = { ...options, algorithms: ['HS256'] }
      let known = await jwtVerify(token, newest, own).catch(older.length > 0 ? ignoreOtherKey : raise)
      for (const secret of older) known ??= await jwtVerify(token, secret, own)
      const { payload } = known ?? raise(unauthenticated())
      return verified(ownIssuer, payload, () => true)
    }
    if (claimed === issuer && audience !== null && keys !== null) {
      const trusted = { ...options, issuer, audience, algorithms: ['RS256', 'ES256', 'EdDSA'] }
      const keySet = keys.current()
      const { payload } = await jwtVerify(token, keys.find, trusted).catch((error) =>
        tryEach(error, token, trusted),
      )
      return verified(issuer, payload, () => keySet !== null && keySet === keys.current())
    }
    throw unauthenticated()
  }
  function verified(iss: string, payload: JWTPayload, isTrusted: Verified['isTrusted']): Verified {
    return { identity: identityOf(iss, payload, clock()), expiresAt: (payload.exp ?? 0) * 1000, isTrusted }
  }

  const remembered = rememberVerified(verify, clock)
  return (token) =>
    remembered(token).catch((error) => {
      throw error instanceof ApiError ? error : unauthenticated()
    })
}

/** A verified token. `isTrusted` returns false once the keys that verified it may have changed. */
type Verified = { identity: Identity; expiresAt: number; isTrusted(): boolean }

type Cached = Verified & { verifiedAt: number }

const maxCached = 10_000

/**
 * Returns verified tokens from memory, by their digest, until they expire or their keys may have changed. Only
 * the signature and the claims are remembered: whether the user is accepted is checked for each request.
 */
function rememberVerified(verify: (token: string) => Promise<Verified>, clock: Clock): VerifyToken {
  const tokens = new Map<string, Cached>()

  return async (token) => {
    const digest = hash('sha256', token, 'base64')
    const now = clock().getTime()
    const cached = tokens.get(digest)
    if (cached !== undefined && cached.verifiedAt <= now && now < cached.expiresAt && cached.isTrusted())
      return cached.identity
    tokens.delete(digest)
    const verified = await verify(token)
    if (now < verified.expiresAt && verified.isTrusted()) tokens.set(digest, { ...verified, verifiedAt: now })
    for (const oldest of tokens.keys()) {
      if (tokens.size <= maxCached) break
      tokens.delete(oldest)
    }
    return verified.identity
  }
}

/** Tries every matching key for a token that does not name its key, as during a key rotation. */
async function tryEach(error: unknown, token: string, trusted: JWTVerifyOptions) {
  if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
  for await (const key of error) {
    const verified = await jwtVerify(token, key, trusted).catch(ignoreOtherKey)
    if (verified !== null) return verified
  }
  throw unauthenticated()
}

function ignoreOtherKey(error: unknown): null {
  if (error instanceof errors.JWSSignatureVerificationFailed) return null
  throw error
}

/** Fetches and caches the provider's keys. A key set that cannot be fetched is not the client's fault: 503, not 401. */
function remoteKeys(url: string): RemoteKeys {
  const fetched: JWKSCacheInput = {}
  // Tokens that name an unknown key trigger a fetch at most every few seconds.
  const times = { cooldownDuration: 5_000, timeoutDuration: 4_000 }
  const keys = createRemoteJWKSet(new URL(url), { ...times, [jwksCache]: fetched })
  const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported } = errors
  const unsuitable = [JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported]
  return {
    find: (header, token) =>
      keys(header, token).catch((error) => {
        throw unsuitable.some((kind) => error instanceof kind) ? error : unavailable(error)
      }),
    current: () => (keys.fresh ? (fetched.jwks ?? null) : null),
  }
}

type RemoteKeys = {
  find: JWTVerifyGetKey
  /** Returns the key set, another object after each fetch; null while it has to be fetched. */
  current(): object | null
}

/**
 * Returns the earliest issue time of a token that is valid after a revocation. A signer's clock may run ahead
 * by the tolerance, so tokens dated up to that time may already exist.
 */
export const validFromAfterRevocation = (now: Date): Date =>
  new Date(now.getTime() + clockToleranceS * 1000 + 1)

const freshMs = 5 * 60_000

/** Returns whether the person signed in at most five minutes ago; false for a time that lies ahead. */
export const isFresh = (authenticatedAt: Date | null, now: Date): boolean =>
  authenticatedAt !== null &&
  authenticatedAt.getTime() >= now.getTime() - freshMs &&
  authenticatedAt.getTime() <= now.getTime() + clockToleranceS * 1000

/**
 * Signs a token of the service's own issuer. Its times are whole seconds, which some JWT libraries require. Without
 * `authenticatedAt` it never confirms anything: nobody has signed in.
 */
export function signToken(
  secret: string,
  subject: string,
  email: string,
  ttlS: number,
  now: Date,
  authenticatedAt: Date | null = null,
): Promise<string> {
  const nowS = Math.floor(now.getTime() / 1000)
  const auth_time = authenticatedAt && Math.floor(authenticatedAt.getTime() / 1000)
  return new SignJWT({ email, ...(auth_time !== null && { auth_time }) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(ownIssuer)
    .setSubject(subject)
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + ttlS)
    .sign(new TextEncoder().encode(secret))
}

/** Returns the identity in verified claims; 401 without a valid subject, or if issued in the future. */
export function identityOf(issuer: string, payload: JWTPayload, now: Date): Identity {
  const { sub, iat, auth_time, email, email_verified, name } = payload
  const subject = shortText(sub)
  const isFuture = iat !== undefined && iat * 1000 > now.getTime() + clockToleranceS * 1000
  if (subject === null || isFuture) throw unauthenticated()
  const isVerified = email_verified === undefined ? null : email_verified === true
  return {
    issuer,
    subject,
    ...addressOf(issuer, subject, mailAddress(email), isVerified),
    name: shortText(name),
    issuedAt: iat === undefined ? null : new Date(Math.round(iat * 1000)),
    authenticatedAt: authenticationTime(auth_time, iat ?? now.getTime() / 1000),
  }
}

/** Returns the time of a sign-in; null for one after the token was issued, which would become fresh later. */
function authenticationTime(authTime: unknown, issuedAt: number): Date | null {
  if (typeof authTime !== 'number' || !(authTime >= 0 && authTime <= issuedAt + clockToleranceS)) return null
  return new Date(authTime * 1000)
}

/**
 * Returns the address of an identity. The own issuer's subjects that are addresses are the address of their account: a
 * token that names another one, or says that another one is verified, changes neither.
 */
function addressOf(
  issuer: string,
  subject: string,
  email: string | null,
  emailVerified: boolean | null,
): Pick<Identity, 'email' | 'emailVerified'> {
  const own = issuer === ownIssuer ? parseMailAddress(subject) : null
  if (own === null) return { email, emailVerified }
  const isOwn = email !== null && foldMailAddress(email) === foldMailAddress(own)
  return { email: own, emailVerified: isOwn ? emailVerified : null }
}

/** Returns the address in the canonical form used for mail, so that each address has one spelling. */
const mailAddress = (value: unknown): string | null => {
  const text = shortText(value)
  return text === null ? null : (parseMailAddress(text) ?? text)
}

const shortText = (value: unknown): string | null =>
  typeof value === 'string' &&
  value !== '' &&
  value.length <= 255 &&
  !value.includes('\0') &&
  value.isWellFormed()
    ? value
    : null
