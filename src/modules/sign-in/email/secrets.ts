import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * Derives the secrets of a mail, which the database does not hold: a link and a code, from the id of an e-mail challenge
 * under SESSION_KEY. Whoever reads the database can derive neither.
 */
export type MailSecrets = {
  linkToken(challengeId: string): string
  /** The id that a link token was made of; null if no key made it. */
  readLinkToken(token: string): string | null
  /** Six digits. */
  code(challengeId: string): string
  isCode(challengeId: string, code: string): boolean
}

/** The first key derives; the others still verify what they derived. */
export function mailSecrets(sessionKeys: readonly string[]): MailSecrets {
  const keys = sessionKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'parvis mail secrets', 32)))
  const [first] = keys
  if (first === undefined) throw new Error('SESSION_KEY is missing: it is made on the embedded database.')

  return {
    linkToken: (id) => tokenOf(first, id),
    readLinkToken(token) {
      if (!tokenForm.test(token)) return null
      const id = uuidOf(Buffer.from(token, 'base64url').subarray(0, 16))
      const given = Buffer.from(token)
      return keys.some((key) => timingSafeEqual(Buffer.from(tokenOf(key, id)), given)) ? id : null
    },
    code: (id) => codeOf(first, id),
    isCode: (id, code) =>
      codeForm.test(code) &&
      keys.some((key) => timingSafeEqual(Buffer.from(codeOf(key, id)), Buffer.from(code))),
  }
}

// 16 bytes of id and 26 of digest: 56 characters without padding, of which none is redundant.
const tokenForm = /^[\w-]{56}$/
const codeForm = /^\d{6}$/

const macOf = (key: Buffer, purpose: string, id: string) =>
  createHmac('sha256', key).update(`${purpose} ${id}`).digest()

function tokenOf(key: Buffer, id: string): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  return Buffer.concat([bytes, macOf(key, 'link', id).subarray(0, 26)]).toString('base64url')
}

/** Of 48 bits the remainder favours no code by more than one in 10⁸. */
const codeOf = (key: Buffer, id: string): string =>
  String(macOf(key, 'code', id).readUIntBE(0, 6) % 1_000_000).padStart(6, '0')

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
