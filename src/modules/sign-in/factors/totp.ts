import { Secret, TOTP } from 'otpauth'

const periodS = 30

/** SHA-1, six digits and 30 s: the settings that every authenticator app supports. */
const appOf = (secret: Secret, label = '') =>
  new TOTP({ issuer: 'Parvis', label, secret, algorithm: 'SHA1', digits: 6, period: periodS })

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** Content of the QR code. */
export const totpUri = (secret: string, label: string): string =>
  appOf(Secret.fromBase32(secret), label).toString()

/** Returns the 30 s step of a code, allowing one step before and after; null for a wrong code. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = now.getTime()
  const delta = appOf(Secret.fromBase32(secret)).validate({ token: code, timestamp, window: 1 })
  return delta === null ? null : Math.floor(timestamp / 1_000 / periodS) + delta
}
