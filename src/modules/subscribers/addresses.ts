import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { secretBox } from '../../platform/access/secret-box.ts'
import { foldMailAddress } from '../../platform/formats/mail-address.ts'
import { isUuid } from '../../platform/formats/uuid.ts'

/**
 * How the address of a subscriber is stored. The row holds
 * - a box (AES-256-GCM, bound to the id of the row) with the address and a random secret, which the links in mails carry: a
 *   copy of the database opens no link. The address of a browser is the endpoint at its push service, with its keys;
 * - a digest (HMAC) by which the address is found;
 * - the id of the key of both.
 *
 * The keys are derived from SESSION_KEY. While it is `new,old`, addresses are found by the digests of both and written under
 * the new one; an hourly job encrypts the others again (`rekey`), so that the old key can be removed. Links stay valid, because
 * the secret moves along.
 */
export type Addresses = {
  keyId: string
  seal(id: string, contents: Contents): { address: Buffer; address_digest: Buffer; key_id: string }
  /** Returns null if no key opens the box. */
  open(id: string, box: Buffer): Contents | null
  /** The digests of an address under each key, the present one first. */
  digests(channel: Channel, address: string): Buffer[]
}
export type Channel = 'email' | 'push'
export type Contents = { channel: Channel; address: string; secret: string; push?: BrowserKeys }
/** Keys of a browser, which messages to it are encrypted with, and the public key of this service that it trusts. Base64url. */
export type BrowserKeys = { p256dh: string; auth: string; serverKey: string }

export function addressesOf(sessionKeys: readonly string[]): Addresses {
  const box = secretBox(sessionKeys, 'addresses of residents')
  const derive = (key: string, purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, '', `parvis residents ${purpose}`, length))
  const keys = sessionKeys.map((key) => derive(key, 'digests', 32))
  const [keyId = ''] = sessionKeys.map((key) => derive(key, 'key id', 6).toString('hex'))
  const digests = (channel: Channel, address: string) => {
    const text = `${channel} ${channel === 'email' ? foldMailAddress(address) : address}`
    return keys.map((key) => createHmac('sha256', key).update(text).digest())
  }
  return {
    keyId,
    seal(id, contents) {
      const { channel, address } = contents
      const [digest] = digests(channel, address)
      if (digest === undefined) throw new Error('SESSION_KEY is missing.')
      return { address: box.seal(JSON.stringify(contents), id), address_digest: digest, key_id: keyId }
    },
    open(id, sealed) {
      const text = box.open(sealed, id)
      return text === null ? null : (JSON.parse(text) as Contents)
    },
    digests,
  }
}

export const newSecret = () => randomBytes(16).toString('base64url')

/** The last part of the links of a subscriber: the id of the row, and the secret in its box. */
export const tokenOf = (id: string, secret: string): string =>
  `${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}${secret}`

/** Returns the parts of a token; null if it has another form. */
export function readToken(token: string): { id: string; secret: string } | null {
  if (!/^[\w-]{44}$/.test(token)) return null
  const hex = Buffer.from(token.slice(0, 22), 'base64url').toString('hex')
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return isUuid(id) ? { id, secret: token.slice(22) } : null
}

export function isSameSecret(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
