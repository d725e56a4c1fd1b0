import type { FastifyRequest } from 'fastify'
import { enrolmentRequired, forbidden, unauthenticated } from '../errors.ts'
import { isRead } from '../formats/http-methods.ts'
import { shortAddress } from '../formats/network-address.ts'
import type { User } from './caller.ts'
import type { Cookies } from './cookies.ts'
import { type AuthenticateKey, isKey } from './keys.ts'
import { allows, type Rule } from './rules.ts'
import type { Session, Sessions } from './sessions.ts'
import type { VerifyToken } from './tokens.ts'
import type { FindUser } from './users.ts'

export type Authenticate = {
  /** Returns the user of the request; 401 if there is none. */
  required(request: FastifyRequest): Promise<User>
  /** Like `required`, but returns null without a token, or if the cookie authenticates nobody. */
  optional(request: FastifyRequest): Promise<User | null>
  /**
   * Returns the session of the cookie, in any status; 403 if another site may have sent the request. Null if the page
   * shows another user, whom `X-Session-User` names: somebody else has signed in in another tab of the browser since.
   */
  session(request: FastifyRequest): Promise<Session | null>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** When the owner of the bearer token signed in; null without such a token, or if it does not say. */
    authenticatedAt: Date | null
  }
}

type Tools = {
  verify: VerifyToken
  findUser: FindUser
  authenticateKey: AuthenticateKey
  sessions: Sessions
  cookies: Cookies
  publicUrl: string
}

/** Authenticates by bearer token or access key, else by the session that the cookie names. */
export function authenticator({
  verify,
  findUser,
  authenticateKey,
  sessions,
  cookies,
  publicUrl,
}: Tools): Authenticate {
  async function userOfToken(request: FastifyRequest): Promise<User> {
    const { headers, id, ip } = request
    const [, token] = /^Bearer ([\w.~+/-]+=*)$/i.exec(headers.authorization ?? '') ?? []
    if (token === undefined) throw unauthenticated()
    if (isKey(token)) return authenticateKey(token, request, shortAddress(ip))
    const identity = await verify(token)
    request.authenticatedAt = identity.authenticatedAt
    return findUser(identity, id)
  }
  async function session(request: FastifyRequest): Promise<Session | null> {
    const value = cookies.read(request, 'session')
    const found = value === null ? null : await sessions.find(value)
    if (found !== null && !isRead(request.method) && !isFromOwnPages(request, publicUrl)) throw forbidden()
    const shown = request.headers['x-session-user']
    return shown === undefined || shown === found?.user.id ? found : null
  }

  return {
    session,
    async required(request) {
      if (request.headers.authorization !== undefined) return userOfToken(request)
      const found = await session(request)
      if (found === null || found.status === 'second_factor') throw unauthenticated()
      const { scope } = request.routeOptions.config
      if (found.status === 'enrolment' && !servesEnrolment(scope?.rules)) throw enrolmentRequired()
      request.session = found
      return found.user
    },
    async optional(request) {
      if (request.headers.authorization !== undefined) return userOfToken(request)
      const found = await session(request)
      if (found?.status !== 'signed_in') return null
      request.session = found
      return found.user
    },
  }
}

export const servesEnrolment = (rules: readonly Rule[] = []): boolean =>
  rules.some((rule) => allows(rule, ['enrolment']))

/**
 * Returns whether a page of the service itself sent the request. A form of another site cannot set
 * `X-App-Source`, a script of another site would need a CORS permission that is never given, and the browser
 * states the origin of the request.
 */
function isFromOwnPages(request: FastifyRequest, publicUrl: string): boolean {
  const source = request.headers['x-app-source']
  return source !== undefined && source !== '' && isSameOrigin(request, publicUrl)
}

function isSameOrigin({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  return site === undefined ? headers.origin === publicUrl : site === 'same-origin'
}
