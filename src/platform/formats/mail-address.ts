import { domainToASCII } from 'node:url'
import { invalid } from '../errors.ts'

export type MailSender = { name: string; address: string }

/**
 * Returns one plain address with its domain in ASCII, or null. Quoted local parts, comments, groups, lists and line
 * breaks are refused, because they let one address be read as several. A local part that changes under normalisation is
 * refused, because it lets two addresses be read as one.
 */
export function parseMailAddress(text: string): string | null {
  const [, local, domain] = /^([^\s\p{C}"(),:;<>@[\\\]]+)@([^\s\p{C}"(),:;<>@[\\\]%/?#]+)$/u.exec(text) ?? []
  if (!local || !domain) return null
  if (Buffer.byteLength(local) > 64 || /^\.|\.\.|\.$/.test(local)) return null
  if (local.normalize('NFKC') !== local) return null
  const host = domainToASCII(domain)
  const address = `${local}@${host}`
  return DOMAIN.test(host) && Buffer.byteLength(address) <= 254 ? address : null
}

/**
 * Reads an address that a resident typed, who is told that a mail leaves. Refuses a domain without a dot, such as `jean@gmail`:
 * only servers of one's own network have such names.
 */
export function parseTypedAddress(text: string): string | null {
  const address = parseMailAddress(text)
  return address?.includes('.', address.indexOf('@')) ? address : null
}

/**
 * Folds an address for comparison: ASCII letters only, as the index `users_unbound_email_key` does. `toLowerCase` would
 * turn "K" (U+212A) into "k".
 */
export const foldMailAddress = (address: string): string =>
  (parseMailAddress(address) ?? address).replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Normalises the address of a request for comparison; 422 if no mail can be sent to it. */
export function readAddress(email: string): string {
  if (parseMailAddress(email) === null) throw invalid('email', notAnAddress)
  return foldMailAddress(email)
}

const notAnAddress = { en: 'must be a valid e-mail address', fr: 'doit être une adresse e-mail valide' }

/** Parses `MAIL_FROM`: an address, or a display name and an address in angle brackets. */
export function parseMailFrom(text: string): MailSender {
  const [, name = '', bracketed, bare = ''] = /^\s*(?:([^<>]*)<([^<>]*)>|([^<>]*?))\s*$/.exec(text) ?? []
  const address = parseMailAddress(bracketed ?? bare)
  const plainName = name.trim().replace(/^"(.*)"$/, '$1')
  if (!address || plainName.length > 100 || /\p{Cc}/u.test(plainName)) {
    throw new Error('must be one address, as in contact@example.fr or Mairie d’Exemple <contact@example.fr>')
  }
  return { name: plainName, address }
}

/** Builds a Message-ID in the sender's domain. The same name gives the same id, so that retries keep it. */
export function messageIdOf(name: string, from: string): string {
  const [, domain = ''] = parseMailFrom(from).address.split('@')
  return `<${name}@${domain.length > 100 ? 'parvis.invalid' : domain}>`
}

// No label begins or ends in a hyphen. The last one contains a letter: an IP address is not a mail domain.
const DOMAIN = /^(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)*(?=[a-z0-9-]*[a-z])(?!-)[a-z0-9-]{1,63}(?<!-)$/
