import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { sessionMaxAgeS } from '../../../platform/access/cookies.ts'
import { secretBox } from '../../../platform/access/secret-box.ts'
import { auditedSession, type Client, confirmSession } from '../../../platform/access/session-records.ts'
import { type Identity, identityOf } from '../../../platform/access/tokens.ts'
import {
  callerOf,
  findOrCreateUser,
  requireStillAccepted,
  updateLastSeen,
} from '../../../platform/access/users.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { ApiError, invalid, notFound, raise, unauthenticated, unavailable } from '../../../platform/errors.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { describeClient } from '../client.ts'
import { countRefusal, countSignIn } from '../metrics.ts'
import { lockAccount, openSession } from '../sessions/opening.ts'
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
import { callbackPath, type Proof, type Provider, providerOf, Refused } from './provider.ts'
import { findIssuer, findOpenSessionUser, insertIdToken, spendState } from './queries.ts'

/** Maximum number of callbacks that wait for the provider concurrently. */
const maxWaiting = 20

/** Routes to sign in at an identity provider, which sends the browser back with a code. */
export function oidcRoutes(scope: HttpServer, deps: RouteDeps): void {
  const { db, reads, config, cookies, limits, authenticate, sessions, clock } = deps
  const provider = providerOf(config)
  let waiting = 0

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
      const former = await formerSessionOf(request, settings.issuer)
      const device = cookies.read(request, 'device')
      const attempt = newAttempt({ returnTo, device, former }, clock())
      const url = await authorizationUrl(attempt)
      const sealed = attemptBox(config.sessionKeys, settings.issuer).seal(attempt)
      cookies.set(reply, 'oidc', sealed, attemptMaxAgeS)
      return reply.redirect(url, 302)
    },
  )

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

  /**
   * Returns the browser's session, and whether a sign-in at this provider confirms it. The value from before a
   * confirmation neither confirms nor ends the session.
   */
  async function formerSessionOf(request: FastifyRequest, issuer: string): Promise<FormerSession | null> {
    const session = await authenticate.session(request)
    if (session === null || session.isFormer) return null
    const hash = session.hash.toString('base64url')
    const own = session.status === 'second_factor' ? null : await findIssuer(reads, session.user.id)
    return { id: session.id, hash, confirms: own === issuer }
  }

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

type Tools = Pick<RouteDeps, 'db' | 'reads' | 'jobs' | 'digests' | 'config' | 'clock'>
type Finish = { proof: Proof; attempt: Attempt; client: Client; requestId: string }

/**
 * Signs in the user of the proof's issuer and subject in a new session, or confirms the browser's session if
 * it belongs to that user. Returns the new value of the session cookie; null if it does not change.
 */
async function finishSignIn(
  tools: Tools,
  { proof, attempt, client, requestId }: Finish,
): Promise<{ value: string | null; isConfirmation: boolean }> {
  const { db, jobs, digests, config, clock } = tools
  const identity = identityOfProof(proof, clock())
  const { id } = await findOrCreateUser(tools, identity, digests, requestId)
  return db.transaction().execute(async (tx) => {
    // Locked: sign-in, revocation and erasure of a user never run concurrently.
    const account = await lockAccount(tx, id)
    if (account === null) throw unauthenticated()
    await requireStillAccepted(tx, identity)
    const caller = callerOf(id, requestId)
    const { former } = attempt
    const confirmed = former?.confirms ? await findOpenSessionUser(tx, former.id) : null
    if (former !== null && confirmed !== null) {
      // A confirmation must not switch to another user.
      if (confirmed !== id) throw new Refused('the session to confirm is of another user')
      requireFreshLogin(proof, attempt)
      return { value: await confirmFormer(tx, caller, former), isConfirmation: true }
    }
    const opened = await openSession(tx, jobs, caller, {
      account,
      method: 'oidc',
      hasShownFactor: false,
      client,
      formerSession: former?.id ?? null,
    })
    await updateLastSeen(tx, id, identity)
    if (proof.idToken !== null) {
      const sealed = secretBox(config.sessionKeys, 'openid tokens').seal(proof.idToken, opened.id)
      await insertIdToken(tx, opened.id, sealed)
    }
    return { value: opened.value, isConfirmation: false }
  })
}

/** Refuses a sign-in at the provider that happened before the attempt began. */
function requireFreshLogin({ claims }: Proof, { startedAt }: Attempt): void {
  const { auth_time } = claims
  const toleranceS = 5
  if (typeof auth_time !== 'number' || auth_time < Math.floor(startedAt / 1_000) - toleranceS)
    throw new Refused('no fresh sign-in at the provider (auth_time)')
}

async function confirmFormer(
  tx: Database,
  caller: SignedIn,
  { id, hash }: FormerSession,
): Promise<string | null> {
  const after = { user_id: caller.user.id, confirmed: true }
  const change = { kind: auditedSession, entityId: id, after }
  await append(tx, caller, { action: 'session.confirm', ...change })
  return confirmSession(tx, { id, hash: Buffer.from(hash, 'base64url') })
}

/** Identifies the user by issuer and subject. The address counts as verified if the provider verified it. */
function identityOfProof({ claims }: Proof, now: Date): Identity {
  const { iss, name, given_name, usual_name, family_name } = claims
  const parts = [given_name, usual_name ?? family_name].filter((part) => typeof part === 'string')
  return identityOf(String(iss), { ...claims, name: name ?? parts.join(' ') }, now)
}
