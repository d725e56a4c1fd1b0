import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { sessionMaxAgeS } from '../../../platform/access/cookies.ts'
import { ApiError, invalid, notFound, raise, unauthenticated, unavailable } from '../../../platform/errors.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { describeClient } from '../client.ts'
import { countRefusal, countSignIn } from '../metrics.ts'
import {
  type Attempt,
  attemptBox,
  attemptMaxAgeS,
  type FormerSession,
  newAttempt,
  readReturnTo,
  stateHashOf,
} from './attempts.ts'
import { goOnPage, showRefusal } from './pages.ts'
import { callbackPath, type Provider, providerOf, Refused } from './provider.ts'
import { findIssuer, spendState } from './queries.ts'
import { finishSignIn } from './rules.ts'

/** Maximum number of callbacks that wait for the provider concurrently. */
const maxWaiting = 20

/** Routes to sign in at an identity provider, which sends the browser back with a code. */
export function oidcRoutes(scope: HttpServer, deps: RouteDeps): void {
  const provider = providerOf(deps.config)
  startRoute(scope, deps, provider)
  callbackRoute(scope, deps, provider)
}

function startRoute(scope: HttpServer, deps: RouteDeps, provider: Provider | null): void {
  const { config, cookies, clock } = deps

  scope.get(
    '/auth/oidc/start',
    {
      config: { refusals: ['not_found'] },
      exposeHeadRoute: false,
      onSend: showRefusal,
      schema: {
        operationId: 'beginOidcSignIn',
        summary:
          'Lead a browser to the identity provider: to sign in, or to confirm a session of that provider',
        querystring: StartQuery,
        response: { 302: Type.Null({ description: 'To the identity provider' }) },
      },
    },
    async (request, reply) => {
      const { settings, authorizationUrl } = provider ?? raise(notFound())
      const typed = request.query.return_to ?? '/backoffice/'
      const returnTo = readReturnTo(typed, config.publicUrl) ?? raise(invalid('return_to', notInside))
      const former = await formerSessionOf(deps, request, settings.issuer)
      const device = cookies.read(request, 'device')
      const attempt = newAttempt({ returnTo, device, former }, clock())
      const url = await authorizationUrl(attempt)
      const sealed = attemptBox(config.sessionKeys, settings.issuer).seal(attempt)
      cookies.set(reply, 'oidc', sealed, attemptMaxAgeS)
      return reply.redirect(url, 302)
    },
  )
}

/**
 * Returns the browser's session, and whether a sign-in at this provider confirms it. The value from before a
 * confirmation neither confirms nor ends the session.
 */
async function formerSessionOf(
  { authenticate, reads }: RouteDeps,
  request: FastifyRequest,
  issuer: string,
): Promise<FormerSession | null> {
  const session = await authenticate.session(request)
  if (session === null || session.isFormer) return null
  const hash = session.hash.toString('base64url')
  const own = session.status === 'second_factor' ? null : await findIssuer(reads, session.user.id)
  return { id: session.id, hash, confirms: own === issuer }
}

function callbackRoute(scope: HttpServer, deps: RouteDeps, provider: Provider | null): void {
  const { db, config, cookies, limits, sessions, clock } = deps
  let waiting = 0

  scope.get(
    '/auth/oidc/callback',
    {
      config: { refusals: ['unauthenticated', 'not_found', 'rate_limited'], audits: 'session.create' },
      exposeHeadRoute: false,
      onSend: showRefusal,
      schema: {
        operationId: 'finishOidcSignIn',
        summary: 'Redirect target of the identity provider; returns a page that redirects',
        querystring: CallbackQuery,
        response: {
          200: { description: 'Signed in, or confirmed', content: { 'text/html': { schema: Page } } },
        },
      },
    },
    async (request, reply) => {
      const known = provider ?? raise(notFound())
      const box = attemptBox(config.sessionKeys, known.settings.issuer)
      const attempt = box.open(cookies.read(request, 'oidc'), clock())
      // Binds the callback to this browser. A wrong state costs no attempt and ends no sign-in.
      if (attempt === null || request.query.state !== attempt.state) throw refuse(request, 'unknown state')
      // Counted before the attempt, so that concurrent requests do not exceed the limit.
      await limits.countClient('sign_in', 'failure', request)
      const expiresAt = new Date(attempt.startedAt + attemptMaxAgeS * 1_000)
      if (!(await spendState(db, stateHashOf(attempt), expiresAt))) throw refuse(request, 'used state')
      cookies.clear(reply, 'oidc')
      const to = await finish(known, attempt, request, reply).catch(async (error) => {
        if (error instanceof Refused) throw refuse(request, error.message)
        const isOurs = !(error instanceof ApiError) || error.kind.status !== 401
        if (isOurs) await limits.giveBackClient('sign_in', 'failure', request)
        else countRefusal('oidc')
        throw error
      })
      await limits.giveBackClient('sign_in', 'failure', request)
      return reply.send(goOnPage(request, reply, to))
    },
  )

  /** Redeems the code, and returns the next address for the browser. */
  async function finish(known: Provider, attempt: Attempt, request: FastifyRequest, reply: FastifyReply) {
    if (waiting >= maxWaiting) throw unavailable('too many sign-ins wait for the identity provider')
    waiting++
    const callback = new URL(`${config.publicUrl}${callbackPath}${searchOf(request)}`)
    const proof = await known.redeem(callback, attempt).finally(() => waiting--)
    const client = describeClient(cookies, request, reply, attempt.device)
    const { value, isConfirmation } = await finishSignIn(deps, {
      proof,
      attempt,
      client,
      requestId: request.id,
    })
    if (value !== null) cookies.set(reply, 'session', value, sessionMaxAgeS)
    if (!isConfirmation) countSignIn('oidc')
    // A concurrent confirmation has just rotated the value: the browser keeps the other one.
    if (value === null) return attempt.returnTo
    const { status } = (await sessions.find(value)) ?? raise(unauthenticated())
    if (status === 'signed_in') return attempt.returnTo
    const next = encodeURIComponent(attempt.returnTo.slice('/backoffice'.length))
    return `/backoffice/sign-in?next=${next}`
  }
}

/** Gives the browser the same refusal for every reason; the log has the reason. */
function refuse(request: FastifyRequest, reason: string): ApiError {
  countRefusal('oidc')
  request.log.warn({ reason }, 'sign-in by the identity provider refused')
  return unauthenticated()
}

const searchOf = ({ raw }: FastifyRequest): string => {
  const { url = '' } = raw
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at)
}

const StartQuery = Type.Object({
  return_to: Type.Optional(
    Type.String({
      maxLength: 1_500,
      description: 'Where to go on afterwards: an address within the back-office',
      examples: ['/backoffice/queue'],
    }),
  ),
})

const CallbackQuery = Type.Object({
  state: Type.Optional(Type.String({ description: 'As sent to the provider', examples: ['af0ifjsldkj'] })),
  code: Type.Optional(Type.String({ description: 'Redeemed once', examples: ['SplxlOBeZQQYbYS6WxSbIA'] })),
  iss: Type.Optional(Type.String({ description: 'The provider', examples: ['https://id.example.org'] })),
  error: Type.Optional(Type.String({ description: 'Why it signed nobody in', examples: ['access_denied'] })),
})

const Page = Type.String({ description: 'A page', examples: ['<!doctype html>'] })

const notInside = {
  en: 'must be an address within /backoffice/',
  fr: 'doit être une adresse dans /backoffice/',
}
