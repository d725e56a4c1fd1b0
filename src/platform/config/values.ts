import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { list, must, type Parse, text, urlOf } from './settings.ts'

export const port: Parse<number> = (value) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number > 65535) throw must('a port number from 0 to 65535')
  return number
}

export const connectionsOrOff: Parse<number> = (value) => {
  const number = Number(value)
  if (value === 'off') return Number.POSITIVE_INFINITY
  if (!/^\d+$/.test(value) || number < 1 || number > 4_096) throw must('off, or a number from 1 to 4096')
  return number
}

export const workersOrAuto: Parse<number> = (value) => {
  if (value === 'auto') return Math.min(availableParallelism(), maxWorkers)
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < 1 || number > maxWorkers)
    throw must(`auto, or a number from 1 to ${maxWorkers}`)
  return number
}
const maxWorkers = 64

export const seconds: Parse<number> = (value) => {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number > 300) throw must('a number of seconds from 0 to 300')
  return number
}

const singlePostgresUrl = urlOf('a postgres:// URL', 'postgres:', 'postgresql:')

/** Refuses several hosts, which only libpq can try in turn: a proxy has to find the primary. */
export const postgresUrl: Parse<string> = (value) => {
  const [, hosts = ''] = /^postgres(?:ql)?:\/\/(?:[^/?]*@)?([^/?@]*)/.exec(value) ?? []
  if (hosts.includes(',') || /[?&]target_session_attrs=|[?&]host=[^&]*(,|%2c)/i.test(value))
    throw must(
      'the address of one server: put a proxy such as HAProxy before several, which finds the primary',
    )
  return singlePostgresUrl(value)
}

export const origin: Parse<string> = (value) => {
  // A host with a semicolon would end a directive of the Content-Security-Policy.
  if (URL.parse(value)?.origin !== value || !/^https?:\/\/[\w.:[\]-]+$/.test(value))
    throw must('a list of origins such as https://app.example.org')
  return value
}

/**
 * Parses an origin, with or without a trailing slash. Without TLS it is safe only for a browser on the same
 * machine.
 */
export const publicOrigin: Parse<string> = (value) => {
  const { origin } = URL.parse(value) ?? {}
  const isOrigin = /^https?:/.test(origin ?? '') && (value === origin || value === `${origin}/`)
  if (origin === undefined || !isOrigin) throw must('an origin such as https://parvis.example.org')
  return origin
}

export const headerValue: Parse<string> = (value) => {
  if (!/^[!-~]+$/.test(value)) throw must('visible ASCII characters')
  return value
}

/** Parses the address of the public site, without its trailing slash: paths such as `/communes/lyon` follow it. */
export const publicSite: Parse<string> = (value) => {
  const { protocol, origin, pathname, search, hash, username } = URL.parse(value) ?? {}
  if (!/^https?:$/.test(protocol ?? '') || search || hash || username)
    throw must('an http or https URL such as https://www.example.org')
  return `${origin}${pathname?.replace(/\/+$/, '')}`
}

export const mapUrl = urlOf('an https URL', 'https:')

export const sessionKeyList: Parse<string[]> = (value) => {
  const keys = list(text)(value)
  const isLong = keys.every((key) => Buffer.byteLength(key) >= 32)
  if (!isLong || keys.length === 0 || keys.length > 2)
    throw must('one key of 32 bytes or more, or two separated by a comma')
  return keys
}

const namedNetworks = ['loopback', 'linklocal', 'uniquelocal']

export const network: Parse<string> = (value) => {
  const [, address = '', bits = '1'] = /^([\da-f.:]+(?:%[\da-z]+)?)(?:\/(\d+))?$/i.exec(value) ?? []
  const longest = { 4: 32, 6: 128 }[isIP(address)] ?? 0
  const isNetwork = Number(bits) >= 1 && Number(bits) <= longest
  if (!isNetwork && !namedNetworks.includes(value))
    throw must('a list of addresses or networks such as 10.0.0.0/8, never /0')
  return value
}

export const longSecret: Parse<string> = (value) => {
  if (Buffer.byteLength(value) < 32) throw must('32 bytes or longer')
  return value
}

/**
 * Parses one secret, or two during a rotation. A comma always separates: within a secret it leaves parts that
 * are too short.
 */
export const jwtSecretTexts: Parse<string[]> = (value) => {
  const parts = value.split(',').map((part) => part.trim())
  if (parts.length === 1) return [longSecret(value)]
  if (parts.length > 2 || parts.some((part) => Buffer.byteLength(part) < 32))
    throw must(
      'one secret, or two while one replaces the other (new,old), each 32 bytes or longer and without a comma',
    )
  return parts
}
