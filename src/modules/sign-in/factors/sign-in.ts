import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { digestOfValue, sessionMaxAgeS } from '../../../platform/access/cookies.ts'
import { allows } from '../../../platform/access/rules.ts'
import { callerOf } from '../../../platform/access/users.ts'
import { conflict, invalid, unauthenticated } from '../../../platform/errors.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { describeClient } from '../client.ts'
import { countAttempt } from '../count-attempt.ts'
import { knownBrowserOf, rememberBrowser } from '../known-browsers.ts'
import { countRefusal } from '../metrics.ts'
import { signInRules } from '../permissions.ts'
import { SignedInStatus } from '../schema.ts'
import { completeSignIn } from '../sessions/complete.ts'
import { lockAccount, openSession } from '../sessions/opening.ts'
import { authenticationOptions, userOfAssertion } from './passkeys.ts'
import { raiseSession } from './rules.ts'
import { PasskeyOptionsQuery, PasskeyVerifyBody, SecondFactorBody, WebAuthnOptions } from './schema.ts'
import { isFactorOf, isProven, kindOf } from './show.ts'

/** Routes to complete a sign-in with a second factor, and to sign in with a passkey. */
export function factorSignInRoutes(scope: HttpServer, deps: RouteDeps): void {
  secondFactorRoute(scope, deps)
  passkeyRoutes(scope, deps)
}

function secondFactorRoute(scope: HttpServer, deps: RouteDeps): void {
  const { db, cookies, authenticate, sessions } = deps

  scope.post(
    '/auth/second-factor',
    {
      config: {
        refusals: ['unauthenticated', 'conflict', 'rate_limited'],
        audits: 'session.second_factor',
        needs: 'session.show_factor',
      },
      schema: {
        operationId: 'showSecondFactor',
        summary: 'Complete a sign-in with a code of an authenticator app, a recovery code or a passkey',
        body: SecondFactorBody,
        response: { 200: record(SignedInStatus) },
      },
    },
    async (request, reply) => {
      const { body } = request
      if (Object.keys(body).length !== 1) throw invalid('totp', oneOfThem)
      const session = await authenticate.session(request)
      if (session === null || session.isFormer) throw unauthenticated()
      if (!allows(signInRules.showFactor, [session.status])) throw conflict()
      const attempt = await countAttempt(deps, request, knownBrowserOf(deps, request, session.user.id))
      const caller = { ...request.caller, user: session.user }
      const isShown = await isProven(db, caller, session, kindOf(body), async () =>
        body.passkey === undefined
          ? isFactorOf(deps, session.user.id, body)
          : (await userOfAssertion(deps, body.passkey as AuthenticationResponseJSON, session)) !== null,
      )
      if (!isShown) {
        countRefusal('second_factor')
        throw unauthenticated()
      }
      await attempt.succeeded()
      const value = await raiseSession(db, caller, session)
      cookies.set(reply, 'session', value, sessionMaxAgeS)
      const device = cookies.read(request, 'device')
      rememberBrowser(deps, request, reply, session.user.id, device === null ? null : digestOfValue(device))
      return { data: { status: (await sessions.find(value))?.status ?? refuse() } }
    },
  )
}

function passkeyRoutes(scope: HttpServer, deps: RouteDeps): void {
  const { db, jobs, cookies, authenticate } = deps

  scope.post(
    '/auth/passkey/options',
    {
      config: { refusals: ['not_found'] },
      schema: {
        operationId: 'getPasskeyOptions',
        summary: 'Options for a passkey: to sign in, to show a second factor, or to confirm',
        querystring: PasskeyOptionsQuery,
        response: { 200: record(WebAuthnOptions) },
      },
    },
    async (request) => {
      const session = request.query.purpose === 'sign_in' ? null : await authenticate.session(request)
      return { data: await authenticationOptions(deps, session) }
    },
  )

  scope.post(
    '/auth/passkey/verify',
    {
      config: { refusals: ['unauthenticated', 'not_found', 'rate_limited'], audits: 'session.create' },
      schema: {
        operationId: 'signInByPasskey',
        summary: 'Sign in by a passkey that its owner unlocked: both factors in one',
        body: PasskeyVerifyBody,
        response: { 200: record(SignedInStatus) },
      },
    },
    async (request, reply) => {
      const attempt = await countAttempt(deps, request, null)
      const former = await authenticate.session(request)
      const passkey = request.body.passkey as AuthenticationResponseJSON
      const userId = await userOfAssertion(deps, passkey, former, { signsIn: true })
      const client = describeClient(cookies, request, reply)
      const opened =
        userId === null
          ? null
          : await db.transaction().execute(async (tx) => {
              const account = await lockAccount(tx, userId)
              if (account === null) return null
              const caller = { ...callerOf(userId, request.id), source: request.caller.source }
              const formerSession = former?.id ?? null
              const made = {
                account,
                method: 'passkey',
                hasShownFactor: true,
                client,
                formerSession,
              } as const
              return openSession(tx, jobs, caller, made)
            })
      return {
        data: await completeSignIn(deps, request, reply, { opened, method: 'passkey', client, attempt }),
      }
    },
  )
}

function refuse(): never {
  throw unauthenticated()
}

const oneOfThem = {
  en: 'or a recovery code or a passkey is required, and just one of them',
  fr: 'ou un code de secours ou une clé d’accès est requis, et un seul',
}
