import {
  createRemoteJWKSet,
  decodeJwt,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { ApiError, unauthenticated, unavailable } from '../errors.ts'
import { parseMailAddress } from '../mail/mail-address.ts'

/** What a valid token says. Rights are not among it. */
export type Identity = {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
  issuedAt: Date | null
}
export type VerifyToken = (token: string) => Promise<Identity>

export const ownIssuer = 'parvis'
const clockToleranceS = 5

/** The issuer picks keys and algorithms, never the token's header. */
export function createTokenVerifier({ auth }: Pick<Config, 'auth'>, clock: Clock): VerifyToken {
  const { issuer, audience } = auth.jwks
  const secret = auth.jwtSecret === null ? null : new TextEncoder().encode(auth.jwtSecret)
  const keys = auth.jwks.url === null ? null : remoteKeys(auth.jwks.url)

  async function verify(token: string): Promise<Identity> {
    const options = { clockTolerance: clockToleranceS, currentDate: clock(), requiredClaims: ['exp', 'sub'] }
    const claimed = decodeJwt(token).iss ?? ownIssuer
    if (claimed === ownIssuer && secret !== null) {
      const { payload } = await jwtVerify(token, secret, { ...options, algorithms: ['HS256'] })
      return identity(ownIssuer, payload, clock())
    }
    if (claimed === issuer && audience !== null && keys !== null) {
      const trusted = { ...options, issuer, audience, algorithms: ['RS256', 'ES256', 'EdDSA'] }
      const { payload } = await jwtVerify(token, keys, trusted).catch((error) =>
        tryEach(error, token, trusted),
      )
      return identity(issuer, payload, clock())
    }
    throw unauthenticated()
  }

  return (token) =>
    verify(token).catch((error) => {
      throw error instanceof ApiError ? error : unauthenticated()
    })
}

/** A token that does not say which of several keys it was signed with, as while they are changed. */
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

/** Keys that cannot be fetched are no fault of the caller: 503, not 401. */
function remoteKeys(url: string): JWTVerifyGetKey {
  // A key that is not known yet is looked for every few seconds at most, however many tokens name it.
  const keys = createRemoteJWKSet(new URL(url), { cooldownDuration: 5_000, timeoutDuration: 4_000 })
  const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported } = errors
  const unsuitable = [JWKSNoMatchingKey, JWKSMultipleMatchingKeys, JOSENotSupported]
  return (header, token) =>
    keys(header, token).catch((error) => {
      throw unsuitable.some((kind) => error instanceof kind) ? error : unavailable(error)
    })
}

/**
 * From when on a token must be dated to be good after a revocation. Signers' clocks may be ahead by as much as is
 * forgiven, so a token that is dated until then may be there already.
 */
export const validFromAfterRevocation = (now: Date): Date =>
  new Date(now.getTime() + clockToleranceS * 1000 + 1)

/** A token of the service's own issuer. */
export function signToken(
  secret: string,
  subject: string,
  email: string,
  ttlS: number,
  now: Date,
): Promise<string> {
  const nowS = now.getTime() / 1000
  return new SignJWT({ email })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(ownIssuer)
    .setSubject(subject)
    .setIssuedAt(nowS)
    .setExpirationTime(Math.ceil(nowS + ttlS))
    .sign(new TextEncoder().encode(secret))
}

function identity(issuer: string, payload: JWTPayload, now: Date): Identity {
  const { sub, iat, email, email_verified, name } = payload
  const subject = shortText(sub)
  const isFuture = iat !== undefined && iat * 1000 > now.getTime() + clockToleranceS * 1000
  if (subject === null || isFuture) throw unauthenticated()
  return {
    issuer,
    subject,
    email: mailAddress(email),
    emailVerified: email_verified === true,
    name: shortText(name),
    issuedAt: iat === undefined ? null : new Date(Math.round(iat * 1000)),
  }
}

/** In the form that mail is sent to, as everywhere: one address has one spelling. */
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
