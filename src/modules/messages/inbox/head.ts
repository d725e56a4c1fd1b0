import { hash } from 'node:crypto'
import PostalMime, { type Address, type Email } from 'postal-mime'
import { cleanLine } from '../../../platform/formats/clean-text.ts'
import { foldMailAddress, parseMailAddress, parseMailFrom } from '../../../platform/formats/mail-address.ts'
import { clip } from '../../../platform/formats/text.ts'
import { type Inbox, token } from '../settings.ts'
import { namesIn, readName } from './address.ts'

/** The head of a mail that arrived. `names`: the names of our mails that it may answer, the most certain first. */
export type Head = {
  from: string | null
  nom: string | null
  subject: string
  names: string[]
  kind: 'loop' | 'report' | 'auto_reply' | 'answer'
  /** The server of the inbox says that the sender is forged (DMARC). */
  isForged: boolean
  /** The same for a mail that arrives twice. */
  fingerprint: Buffer
}

/** Reads the head of a mail. Null if nothing can be read of it. */
export async function readHead(source: Buffer, inbox: Inbox, mailFrom: string): Promise<Head | null> {
  let mail: Email
  try {
    mail = await PostalMime.parse(source, { maxHeadersSize: 512 * 1024 })
  } catch {
    return null
  }
  const all = (key: string) => mail.headers.filter((header) => header.key === key).map(({ value }) => value)
  const recipients = ['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to'].flatMap(all)
  const answered = [...idsIn(all('in-reply-to')), ...idsIn(all('references')).toReversed()]
  const from = addressOf(mail.from)
  return {
    from,
    nom: nameOf(mail.from),
    subject: clip(cleanLine(mail.subject ?? ''), 200),
    names: namesIn(inbox, recipients.flatMap(addressesIn), answered.slice(0, 50)),
    kind: kindOf(all, from, [mailFrom, inbox.address]),
    isForged: all('authentication-results').some((result) => /\bdmarc\s?=\s?fail\b/i.test(result)),
    fingerprint: hash(
      'sha256',
      [mail.messageId ?? '', ...all('from'), ...all('date'), ...all('subject')].join('\n'),
      'buffer',
    ),
  }
}

type All = (key: string) => string[]

function kindOf(all: All, from: string | null, [mailFrom = '', inboxAddress = '']: string[]): Head['kind'] {
  const own = [parseMailFrom(mailFrom).address, inboxAddress.replace(token, '')].map(foldMailAddress)
  const isOurs = idsIn(all('message-id')).some((id) => readName(id.slice(1).split('@')[0] ?? '') !== null)
  if (isOurs || (from !== null && own.includes(foldMailAddress(from)))) return 'loop'
  if (
    all('content-type').some((type) => /^multipart\/report\b.*\breport-type="?delivery-status\b/is.test(type))
  )
    return 'report'
  return isAutomatic(all) ? 'auto_reply' : 'answer'
}

/** True for mails that no person wrote (RFC 3834, and what came before it). */
function isAutomatic(all: All): boolean {
  const has = (key: string, pattern = /./) => all(key).some((value) => pattern.test(value.trim()))
  return (
    has('auto-submitted', /^(?!no\b)./i) ||
    has('precedence', /^(?:bulk|junk|list|auto_reply)\b/i) ||
    has('return-path', /^<>$/) ||
    has('x-apple-action', /^vacation$/i) ||
    ['x-autoreply', 'x-autorespond', 'x-autoresponder', 'list-id'].some((key) => has(key))
  )
}

// With limits: a header may be long, and made to be searched forever.
const idsIn = (values: string[]) =>
  values.flatMap((value) => value.match(/<[^<>\s]{1,200}@[^<>\s]{1,200}>/g) ?? [])
const addressesIn = (value: string) => value.match(/[^\s<>,;:"@]{1,64}@[^\s<>,;:"@]{1,255}/g) ?? []

const addressOf = (address: Address | undefined) => parseMailAddress(address?.address ?? '')
const nameOf = (address: Address | undefined) => clip(cleanLine(address?.name ?? ''), 200) || null
