import { createHmac, hkdfSync } from 'node:crypto'
import type { Caller } from '../../../platform/access/caller.ts'
import { addressCaller } from '../../../platform/formats/network-address.ts'

/** A reporter on one day. */
export type Reporter = { caller_key: string; day: string }

/**
 * Distinguishes reporters without identifying them: by user, or by a keyed hash of the address that is valid
 * for one day.
 */
export function reporterKeys(secret: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'parvis reports', 32))
  return (caller: Caller, ip: string, day: string): Reporter => {
    if (caller.user !== null) return { caller_key: `user ${caller.user.id}`, day }
    const digest = createHmac('sha256', key)
      .update(`${day} ${addressCaller(ip)}`)
      .digest('base64url')
    return { caller_key: `address ${digest}`, day }
  }
}
