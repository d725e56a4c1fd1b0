import { hash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * `session`: the session. `attempt`: the browser that requested a sign-in mail. `device`: a known browser. `known`: the
 * accounts that it is known to. `oidc`: a browser whose sign-in at an identity provider is in progress.
 */
export type CookieName = 'session' | 'attempt' | 'device' | 'known' | 'oidc'

export type Cookies = {
  /** Returns the value if it has the form that this service sets; null otherwise. */
  read(request: FastifyRequest, name: CookieName): string | null
  set(reply: FastifyReply, name: CookieName, value: string, maxAgeS: number): void
  clear(reply: FastifyReply, name: CookieName): void
}

/** Maximum lifetime of a session. */
export const sessionMaxAgeS = 7 * 86_400

/**
 * Creates cookies that scripts cannot read and that, except `oidc`, other sites cannot send. With TLS, other
 * hosts of the domain cannot set them either.
 */
export function cookiesOf(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith('https:')
  const nameOf = (name: CookieName) => `${secure ? '__Host-' : ''}parvis_${name}`
  const optionsOf = (name: CookieName, maxAge: number) => {
    // With `strict` the browser would not send the cookie when the provider redirects back here.
    const sameSite = name === 'oidc' ? 'lax' : 'strict'
    return { path: '/', httpOnly: true, sameSite, secure, maxAge } as const
  }
  return {
    read({ headers }, name) {
      const value =
        headers.cookie === undefined ? undefined : fastifyCookie.parse(headers.cookie)[nameOf(name)]
      return value !== undefined && formOf(name).test(value) ? value : null
    },
    set(reply, name, value, maxAge) {
      reply.header('set-cookie', fastifyCookie.serialize(nameOf(name), value, optionsOf(name, maxAge)))
    },
    clear(reply, name) {
      reply.header('set-cookie', fastifyCookie.serialize(nameOf(name), '', optionsOf(name, 0)))
    },
  }
}

/** True if a request carries the cookie of a session, valid or not: a quick look before anything is verified. */
export const sendsSession = ({ cookie }: IncomingHttpHeaders): boolean =>
  cookie !== undefined && /(^|; ?)(__Host-)?parvis_session=./.test(cookie)

function formOf(name: CookieName): RegExp {
  // An encrypted value, which is not looked up. Browsers store up to 4 096 bytes.
  if (name === 'oidc') return /^[\w-]{43,3900}$/
  if (name === 'known') return /^[\w-]{22}(\.[\w-]{22}){0,7}$/
  return /^[\w-]{43}$/
}

/** Returns 256 random bits, encoded as a cookie value. */
export const newCookieValue = (): string => randomBytes(32).toString('base64url')

/** Returns the digest of a cookie value, as the database stores it. */
export const digestOfValue = (value: string): Buffer => hash('sha256', value, 'buffer')
