import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { isLoopback } from './network-address.ts'

export type MailServer = {
  host: string
  port: number
  /** TLS from the start. */
  secure: boolean
  /** No mail without TLS, even if the server does not offer STARTTLS. */
  requireTls: boolean
  auth: { user: string; pass: string } | null
}

/** A mailbox that is read by IMAP. */
export type MailBox = Omit<MailServer, 'auth'> & { auth: { user: string; pass: string }; folder: string }

/** Parses `MAIL_INBOX_URL`. Errors never quote it. A password crosses a network only by TLS. */
export function parseMailBoxUrl(text: string): MailBox {
  const url = URL.parse(text)
  const auth = url && readAuth(url)
  if (!url || !auth || (url.protocol !== 'imap:' && url.protocol !== 'imaps:')) {
    throw refused(
      'must be imaps://user:password@host:port or imap://user:password@host:port, with /folder if needed',
    )
  }
  if (url.search !== '' || url.hash !== '') {
    throw refused('must end after the folder (write / # ? @ in a password as %2F %23 %3F %40)')
  }
  const secure = url.protocol === 'imaps:'
  const host = readHost(url.hostname)
  return {
    host,
    port: readPort(url.port, secure ? 993 : 143),
    secure,
    requireTls: !secure && !isLoopback(host),
    auth,
    folder: decode(url.pathname.slice(1)) || 'INBOX',
  }
}

/** Parses `MAIL_URL`. Errors never quote the URL, because it may contain a password. */
export function parseMailUrl(text: string): MailServer {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) {
    throw refused(
      'must be smtp://host:port or smtps://host:port, with user:password@ before the host if needed',
    )
  }
  if ((url.pathname !== '' && url.pathname !== '/') || url.hash !== '') {
    throw refused('must end after the host and port (write / # ? @ in a password as %2F %23 %3F %40)')
  }
  const secure = url.protocol === 'smtps:'
  return {
    host: readHost(url.hostname),
    port: readPort(url.port, secure ? 465 : 587),
    secure,
    requireTls: readRequireTls(url.searchParams),
    auth: readAuth(url),
  }
}

function readHost(hostname: string): string {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  const host = isIP(bare) ? bare : domainToASCII(decode(bare))
  if (!host) throw refused('must name a host')
  return host
}

function readPort(port: string, usual: number): number {
  if (port === '0') throw refused('must name a port from 1 to 65535')
  return port === '' ? usual : Number(port)
}

function readRequireTls(parameters: URLSearchParams): boolean {
  const [first, ...others] = parameters
  if (!first) return false
  if (others.length > 0 || first[0] !== 'tls' || first[1] !== 'required') {
    throw refused('takes one parameter only, ?tls=required')
  }
  return true
}

function readAuth(url: URL): MailServer['auth'] {
  if (url.username === '' && url.password === '') return null
  const auth = { user: decode(url.username), pass: decode(url.password) }
  if (!auth.user || !auth.pass) throw refused('must have both a user and a password, or neither')
  if (/\p{Cc}/u.test(auth.user + auth.pass)) throw refused('has a control character in the user or password')
  return auth
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw refused('has a % that is not followed by two hexadecimal digits (write a % as %25)')
  }
}

function refused(why: string): Error {
  return new Error(why)
}
