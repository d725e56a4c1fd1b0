import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export type SecretBox = {
  seal(text: string, owner: string): Buffer
  /** Returns null if no key decrypts the box, because SESSION_KEY has changed, or if it belongs to another owner. */
  open(box: Buffer, owner: string): string | null
}

/** Purpose of a box. Each purpose has its own keys. */
type Purpose =
  | 'second factors'
  | 'openid attempts'
  | 'openid tokens'
  | 'push keys'
  | 'webhook secrets'
  | `addresses of ${'residents' | 'reporters'}`

/** Encrypts with the first key (AES-256-GCM), and decrypts with any key. A box is bound to its owner. */
export function secretBox(sessionKeys: readonly string[], purpose: Purpose): SecretBox {
  const keys = sessionKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', `parvis ${purpose}`, 32)))
  return {
    seal(text, owner) {
      const [key] = keys
      if (key === undefined) throw new Error('SESSION_KEY is missing.')
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    open(box, owner) {
      for (const key of keys) {
        const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12))
        decipher.setAAD(Buffer.from(owner)).setAuthTag(box.subarray(12, 28))
        try {
          return Buffer.concat([decipher.update(box.subarray(28)), decipher.final()]).toString('utf8')
        } catch {
          // Encrypted under another key, or for another owner.
        }
      }
      return null
    },
  }
}
