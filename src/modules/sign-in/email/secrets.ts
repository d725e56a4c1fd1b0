import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * Derives the secrets of a mail, a link and a code, from the id of an e-mail challenge under SESSION_KEY. The
 * database does not hold them, and read access to it is not enough to derive them.
 */
export type MailSecrets = {
  linkToken(challengeId: string): string
  /** Returns the id in a link token; null if no key created the token. */
  readLinkToken(token: string): string | null
  /** Six digits. */
  code(challengeId: string): string
  isCode(challengeId: string, code: string): boolean
  /** Of the link that undoes a change of address. */
  undoToken(changeId: string): string
  /** Returns the id in such a token; null if no key created it. */
  readUndoToken(token: string): string | null
}

/** Derives with the first key; the other keys still verify. */
export function mailSecrets(sessionKeys: readonly string[]): MailSecrets {
  const keys = sessionKeys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'parvis mail secrets', 32)))
  const [first] = keys
  if (first === undefined) throw new Error('SESSION_KEY is missing: it is made on the embedded database.')

  function read(token: string, purpose: Purpose): string | null {
    if (!tokenForm.test(token)) return null
    const id = uuidOf(Buffer.from(token, 'base64url').subarray(0, 16))
    const given = Buffer.from(token)
    return keys.some((key) => timingSafeEqual(Buffer.from(tokenOf(key, id, purpose)), given)) ? id : null
  }

  return {
    linkToken: (id) => tokenOf(first, id, 'link'),
    readLinkToken: (token) => read(token, 'link'),
    undoToken: (id) => tokenOf(first, id, 'undo'),
    readUndoToken: (token) => read(token, 'undo'),
    code: (id) => codeOf(first, id),
    isCode: (id, code) =>
      codeForm.test(code) &&
      keys.some((key) => timingSafeEqual(Buffer.from(codeOf(key, id)), Buffer.from(code))),
  }
}

// 16 bytes of id and 26 of digest are exactly 56 characters, without padding or unused bits.
const tokenForm = /^[\w-]{56}$/
const codeForm = /^\d{6}$/

type Purpose = 'link' | 'undo'

const macOf = (key: Buffer, purpose: Purpose | 'code', id: string) =>
  createHmac('sha256', key).update(`${purpose} ${id}`).digest()

function tokenOf(key: Buffer, id: string, purpose: Purpose): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  return Buffer.concat([bytes, macOf(key, purpose, id).subarray(0, 26)]).toString('base64url')
}

/** 48 bits modulo 10⁶: no code is more likely than another by more than one in 10⁸. */
const codeOf = (key: Buffer, id: string): string =>
  String(macOf(key, 'code', id).readUIntBE(0, 6) % 1_000_000).padStart(6, '0')

const uuidOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
