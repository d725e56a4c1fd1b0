import { type Config, settingsOf } from '../../../platform/config/config.ts'
import { parseMailFrom } from '../../../platform/formats/mail-address.ts'
import { isUuid } from '../../../platform/formats/uuid.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { type Inbox, messagesSettings, token } from '../settings.ts'

type Addresses = Pick<Mail, 'replyTo' | 'bouncesTo'>

/**
 * Returns where answers to a mail go; nothing if nobody reads them. `name`: the name of the mail, as in its Message-ID.
 * Servers report to the same address that a mail did not arrive, if it is of the sender's domain: another one would not
 * pass checks of the sender (SPF).
 */
export function answersTo(config: Config, name: string): Addresses {
  const { inbox, replyTo } = settingsOf(config, messagesSettings)
  if (inbox === null) return replyTo === null ? {} : { replyTo }
  const address = inbox.address.replace(token, name)
  const isOwnDomain = domainOf(address) === domainOf(parseMailFrom(config.mail.from).address)
  return { replyTo: address, ...(isOwnDomain && { bouncesTo: address }) }
}

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** Returns the names in the address of an inbox and in Message-IDs, which answers repeat, the most certain first. */
export function namesIn(inbox: Inbox, addresses: string[], messageIds: string[]): string[] {
  const [before = '', after] = inbox.address.toLowerCase().split(token)
  const tokens =
    after === undefined
      ? []
      : addresses
          .map((address) => address.toLowerCase())
          .filter((address) => address.startsWith(before) && address.endsWith(after))
          .map((address) => address.slice(before.length, address.length - after.length))
  const ids = messageIds.map((id) => /^<([^<>@]+)@[^<>@]+>$/.exec(id)?.[1] ?? '')
  return [...tokens, ...ids].filter((name) => readName(name) !== null)
}

/** Splits the name of a mail into what it begins with and the id at its end; null if it has none. */
export function readName(name: string): { prefix: string; id: string } | null {
  const [prefix, id] = [name.slice(0, -36), name.slice(-36)]
  return prefix.endsWith('-') && isUuid(id) ? { prefix, id } : null
}
