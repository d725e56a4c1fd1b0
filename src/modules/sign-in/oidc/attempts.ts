import { digestOfValue, newCookieValue } from '../../../platform/access/cookies.ts'
import { secretBox } from '../../../platform/access/secret-box.ts'

export const attemptMaxAgeS = 600

/** A sign-in in progress at the provider, stored encrypted in a cookie of the browser for ten minutes. */
export type Attempt = {
  /** 256 random bits each. */
  state: string
  nonce: string
  verifier: string
  /** An address within the application. */
  returnTo: string
  /** The values of the device and session cookies, which the provider's redirect does not carry. */
  device: string | null
  former: FormerSession | null
  startedAt: number
}

/** The browser's current session: confirmed if it belongs to this provider, else replaced. */
export type FormerSession = { id: string; hash: string; confirms: boolean }

export const newAttempt = (of: Pick<Attempt, 'returnTo' | 'device' | 'former'>, now: Date): Attempt => ({
  state: newCookieValue(),
  nonce: newCookieValue(),
  verifier: newCookieValue(),
  ...of,
  startedAt: now.getTime(),
})

export const stateHashOf = (attempt: Attempt): Buffer => digestOfValue(attempt.state)

/** Encrypts attempts for one issuer; those of another provider do not decrypt. */
export function attemptBox(sessionKeys: readonly string[], issuer: string) {
  const box = secretBox(sessionKeys, 'openid attempts')
  return {
    seal: (attempt: Attempt): string => box.seal(JSON.stringify(attempt), issuer).toString('base64url'),
    /** Returns null if the value was not sealed here or has expired. */
    open(value: string | null, now: Date): Attempt | null {
      const opened = value === null ? null : box.open(Buffer.from(value, 'base64url'), issuer)
      if (opened === null) return null
      const attempt = JSON.parse(opened) as Attempt
      const ageMs = now.getTime() - attempt.startedAt
      return ageMs < attemptMaxAgeS * 1_000 ? attempt : null
    },
  }
}

/** Returns an address within the application, normalised as in a browser; null for any other address. */
export function readReturnTo(typed: string, publicUrl: string): string | null {
  const inside = '/backoffice/'
  const url = URL.parse(typed, publicUrl)
  if (url === null || !typed.startsWith(inside) || url.origin !== publicUrl) return null
  const path = `${url.pathname}${url.search}${url.hash}`
  return path.startsWith(inside) && path.length <= 1_500 ? path : null
}
