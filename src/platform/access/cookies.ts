import { hash, randomBytes } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * `session`: who is signed in. `attempt`: the browser that asked for a mail. `device`: a browser that was here before.
 * `oidc`: a browser that an identity provider is to send back.
 */
export type CookieName = 'session' | 'attempt' | 'device' | 'oidc'

export type Cookies = {
  /** A value that this service may have set; null if there is none. */
  read(request: FastifyRequest, name: CookieName): string | null
  set(reply: FastifyReply, name: CookieName, value: string, maxAgeS: number): void
  clear(reply: FastifyReply, name: CookieName): void
}

/** As long as a session lasts at most. */
export const sessionMaxAgeS = 7 * 86_400

/** Cookies that no script reads and, `oidc` apart, no other site sends; with TLS no other host of the domain can set them either. */
export function cookiesOf(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith('https:')
  const nameOf = (name: CookieName) => `${secure ? '__Host-' : ''}parvis_${name}`
  const optionsOf = (name: CookieName, maxAge: number) => {
    // The provider's page leads back here: with `strict` the browser would not send the cookie then.
    const sameSite = name === 'oidc' ? 'lax' : 'strict'
    return { path: '/', httpOnly: true, sameSite, secure, maxAge } as const
  }
  return {
    read({ headers }, name) {
      const value =
        headers.cookie === undefined ? undefined : fastifyCookie.parse(headers.cookie)[nameOf(name)]
      return value !== undefined && (name === 'oidc' ? sealedForm : valueForm).test(value) ? value : null
    },
    set(reply, name, value, maxAge) {
      reply.header('set-cookie', fastifyCookie.serialize(nameOf(name), value, optionsOf(name, maxAge)))
    },
    clear(reply, name) {
      reply.header('set-cookie', fastifyCookie.serialize(nameOf(name), '', optionsOf(name, 0)))
    },
  }
}

const valueForm = /^[\w-]{43}$/
/** A value that is encrypted instead of being looked up. Browsers keep 4 096 bytes. */
const sealedForm = /^[\w-]{43,3900}$/

/** 256 random bits, as a cookie carries them. */
export const newCookieValue = (): string => randomBytes(32).toString('base64url')

/** Digest of a cookie's value, as the database stores it. */
export const digestOfValue = (value: string): Buffer => hash('sha256', value, 'buffer')
