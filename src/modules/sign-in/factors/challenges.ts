import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

const lifetimeMs = 5 * 60_000

/** User (null before sign-in) and purpose of a challenge. */
export type For = { userId: string | null; purpose: 'registration' | 'authentication' }

/** Creates a random challenge that carries its own expiry and a MAC. Stores nothing. */
export function newChallenge(sessionKeys: readonly string[], of: For, now: Date): Uint8Array<ArrayBuffer> {
  const head = Buffer.concat([randomBytes(24), Buffer.alloc(8)])
  head.writeBigUInt64BE(BigInt(now.getTime() + lifetimeMs), 24)
  return new Uint8Array(Buffer.concat([head, macOf(sessionKeys[0] ?? '', head, of)]))
}

/** Returns when a challenge expires; null if this service did not create it for this user and purpose. */
export function readChallenge(sessionKeys: readonly string[], text: string, of: For): Date | null {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== 64 || bytes.toString('base64url') !== text) return null
  const [head, mac] = [bytes.subarray(0, 32), bytes.subarray(32)]
  if (!sessionKeys.some((key) => timingSafeEqual(macOf(key, head, of), mac))) return null
  return new Date(Number(head.readBigUInt64BE(24)))
}

const macOf = (sessionKey: string, head: Buffer, { userId, purpose }: For) =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', sessionKey, '', 'parvis passkey challenges', 32)))
    .update(`${purpose} ${userId ?? ''} `)
    .update(head)
    .digest()
