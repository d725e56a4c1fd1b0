import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/connect.ts'
import { isUuid } from '../formats/uuid.ts'
import { secretBox } from './secret-box.ts'

/**
 * How the address of somebody without an account is stored. The row holds
 * - a box (AES-256-GCM, bound to the id of the row) with the address and a random secret, which the links in mails carry: a
 *   copy of the database opens no link;
 * - a digest (HMAC) by which the address is found;
 * - the id of the key of both.
 *
 * The keys are derived from SESSION_KEY. While it is `new,old`, addresses are found by the digests of both and written under
 * the new one; an hourly job encrypts the others again, so that the old key can be removed. Links stay valid, because the secret
 * moves along.
 */
export type SealedAddresses<Contents> = {
  keyId: string
  seal(id: string, contents: Contents): { address: Buffer; address_digest: Buffer; key_id: string }
  /** Returns null if no key opens the box. */
  open(id: string, box: Buffer): Contents | null
  /** The digests of a text that names an address, under each key, the present one first. */
  digests(text: string): Buffer[]
}

/** `textOf`: the text that names the address of the contents, from which the digest is made. */
export function sealedAddresses<Contents extends { secret: string }>(
  sessionKeys: readonly string[],
  whose: 'residents' | 'reporters',
  textOf: (contents: Contents) => string,
): SealedAddresses<Contents> {
  const box = secretBox(sessionKeys, `addresses of ${whose}`)
  const derive = (key: string, purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, '', `parvis ${whose} ${purpose}`, length))
  const keys = sessionKeys.map((key) => derive(key, 'digests', 32))
  const [keyId = ''] = sessionKeys.map((key) => derive(key, 'key id', 6).toString('hex'))
  const digests = (text: string) => keys.map((key) => createHmac('sha256', key).update(text).digest())
  return {
    keyId,
    seal(id, contents) {
      const [digest] = digests(textOf(contents))
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

/** The last part of the links of an address: the id of the row, and the secret in its box. */
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

/** Locks addresses. Instances of a rotation share at least one key, and lock in the same order. */
export async function lockDigests(tx: Database, digests: Buffer[]): Promise<void> {
  for (const digest of digests.toSorted(Buffer.compare))
    await sql`select pg_advisory_xact_lock(${digest.readBigInt64BE(0).toString()}::bigint)`.execute(tx)
}
