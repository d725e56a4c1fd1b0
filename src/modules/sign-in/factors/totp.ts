import { Secret, TOTP } from 'otpauth'

const periodS = 30

/** As authenticator apps read it: SHA-1, six digits, 30 s are what all of them support. */
const appOf = (secret: Secret, label = '') =>
  new TOTP({ issuer: 'Parvis', label, secret, algorithm: 'SHA1', digits: 6, period: periodS })

export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** Content of the QR code. */
export const totpUri = (secret: string, label: string): string =>
  appOf(Secret.fromBase32(secret), label).toString()

/** The step of 30 s that a code is of, one before and one after now included; null for a wrong one. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const timestamp = now.getTime()
  const delta = appOf(Secret.fromBase32(secret)).validate({ token: code, timestamp, window: 1 })
  return delta === null ? null : Math.floor(timestamp / 1_000 / periodS) + delta
}
