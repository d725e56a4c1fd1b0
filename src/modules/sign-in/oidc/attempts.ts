import { digestOfValue, newCookieValue } from '../../../platform/access/cookies.ts'
import { secretBox } from '../secret-box.ts'

export const attemptMaxAgeS = 600

/** A sign-in that is under way at the provider, as the browser's own cookie carries it: encrypted, for ten minutes. */
export type Attempt = {
  /** 256 random bits each. */
  state: string
  nonce: string
  verifier: string
  /** An address within the application. */
  returnTo: string
  /** The browser's mark and session: their cookies do not come back from the provider. */
  device: string | null
  former: FormerSession | null
  startedAt: number
}

/** The session that the browser has: replaced, or confirmed if it is one of this provider. */
export type FormerSession = { id: string; hash: string; confirms: boolean }

export const newAttempt = (of: Pick<Attempt, 'returnTo' | 'device' | 'former'>, now: Date): Attempt => ({
  state: newCookieValue(),
  nonce: newCookieValue(),
  verifier: newCookieValue(),
  ...of,
  startedAt: now.getTime(),
})

export const stateHashOf = (attempt: Attempt): Buffer => digestOfValue(attempt.state)

/** Another provider's attempts are not opened. */
export function attemptBox(sessionKeys: readonly string[], issuer: string) {
  const box = secretBox(sessionKeys, 'openid attempts')
  return {
    seal: (attempt: Attempt): string => box.seal(JSON.stringify(attempt), issuer).toString('base64url'),
    /** Null for what was not sealed here, or has expired. */
    open(value: string | null, now: Date): Attempt | null {
      if (value === null) return null
      try {
        const attempt = JSON.parse(box.open(Buffer.from(value, 'base64url'), issuer)) as Attempt
        const ageMs = now.getTime() - attempt.startedAt
        return ageMs < attemptMaxAgeS * 1_000 ? attempt : null
      } catch {
        return null
      }
    },
  }
}

/** An address within the application, as the browser will understand it; null for any other. */
export function readReturnTo(typed: string, publicUrl: string): string | null {
  const inside = '/backoffice/'
  const url = URL.parse(typed, publicUrl)
  if (url === null || !typed.startsWith(inside) || url.origin !== publicUrl) return null
  const path = `${url.pathname}${url.search}${url.hash}`
  return path.startsWith(inside) && path.length <= 1_500 ? path : null
}
