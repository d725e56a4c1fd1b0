import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyReply } from 'fastify'
import type { User } from '../../../platform/access/caller.ts'
import { digestOfValue, sessionMaxAgeS } from '../../../platform/access/cookies.ts'
import { allows } from '../../../platform/access/rules.ts'
import { callerOf } from '../../../platform/access/users.ts'
import { conflict, invalid, unauthenticated } from '../../../platform/errors.ts'
import type { HttpServer, SignedInScope } from '../../../platform/http/http-server.ts'
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
import {
  addPasskey,
  authenticationOptions,
  registrationOptions,
  removePasskey,
  userOfAssertion,
} from './passkeys.ts'
import { findFactors } from './queries.ts'
import { beginTotp, confirmTotp, makeRecoveryCodes, mustHave, raiseSession, removeTotp } from './rules.ts'
import {
  ByPasskeyId,
  MyFactors,
  NewTotp,
  PasskeyBody,
  PasskeyOptionsQuery,
  PasskeyVerifyBody,
  RecoveryCodes,
  SecondFactorBody,
  TotpBody,
  WebAuthnOptions,
} from './schema.ts'
import { isFactorOf, isProven, kindOf } from './show.ts'

/** Routes to complete a sign-in with a second factor, and to sign in with a passkey. */
export function factorSignInRoutes(scope: HttpServer, deps: RouteDeps): void {
  const { db, jobs, cookies, authenticate, sessions } = deps

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

/** Routes for the user's own factors. Also open to users who must set one up before anything else. */
export function factorRoutes(scope: SignedInScope, deps: RouteDeps): void {
  const { db, reads, cookies } = deps
  const keep = (reply: FastifyReply, value: string | null) => {
    if (value !== null) cookies.set(reply, 'session', value, sessionMaxAgeS)
  }
  const readFactors = async (user: User) => ({
    required: mustHave(user, deps),
    ...(await findFactors(reads, user.id)),
  })

  scope.get(
    '/me/factors',
    {
      config: { needs: 'factor.add' },
      schema: {
        operationId: 'getMyFactors',
        summary: "The caller's second factors",
        response: { 200: record(MyFactors) },
      },
    },
    async ({ caller }) => ({ data: await readFactors(caller.user) }),
  )

  scope.post(
    '/me/totp',
    {
      config: { needs: 'factor.add', confirms: true },
      schema: {
        operationId: 'beginTotp',
        summary: 'Begin to set up an authenticator app; it counts once one of its codes was shown',
        response: { 200: record(NewTotp) },
      },
    },
    async ({ caller }) => ({ data: await beginTotp(deps, caller) }),
  )

  scope.post(
    '/me/totp/confirm',
    {
      config: { needs: 'factor.add', confirms: true, refusals: ['conflict'], audits: 'user.factor_add' },
      schema: {
        operationId: 'confirmTotp',
        summary: 'Take the new authenticator app into use, by one of its codes',
        body: TotpBody,
        response: { 200: record(MyFactors) },
      },
    },
    async ({ caller, session, body }, reply) => {
      keep(reply, await confirmTotp(deps, caller, body.totp, session))
      return { data: await readFactors(caller.user) }
    },
  )

  scope.delete(
    '/me/totp',
    {
      config: { needs: 'own.change', confirms: true, refusals: ['conflict'], audits: 'user.factor_remove' },
      schema: {
        operationId: 'removeTotp',
        summary: 'Remove the authenticator app; the last factor of somebody who must have one stays',
        response: { 200: record(MyFactors) },
      },
    },
    async ({ caller }) => {
      await removeTotp(deps, caller)
      return { data: await readFactors(caller.user) }
    },
  )

  scope.post(
    '/me/recovery-codes',
    {
      config: { needs: 'factor.add', confirms: true, refusals: ['conflict'], audits: 'user.factor_add' },
      schema: {
        operationId: 'makeRecoveryCodes',
        summary: 'Make ten recovery codes in place of all others; needs another factor, and shows them once',
        response: { 200: record(RecoveryCodes) },
      },
    },
    async ({ caller }) => ({ data: { codes: await makeRecoveryCodes(db, caller) } }),
  )

  scope.post(
    '/me/passkeys/options',
    {
      config: { needs: 'factor.add', confirms: true, refusals: ['not_found'] },
      schema: {
        operationId: 'getNewPasskeyOptions',
        summary:
          'Options to create a passkey; there are none where the service is reached by a bare IP address',
        response: { 200: record(WebAuthnOptions) },
      },
    },
    async ({ caller }) => ({ data: await registrationOptions(deps, caller) }),
  )

  scope.post(
    '/me/passkeys',
    {
      config: {
        needs: 'factor.add',
        confirms: true,
        refusals: ['conflict', 'not_found'],
        audits: 'user.factor_add',
      },
      schema: {
        operationId: 'addPasskey',
        summary: 'Add a passkey',
        body: PasskeyBody,
        response: { 200: record(MyFactors) },
      },
    },
    async ({ caller, session, body }, reply) => {
      const made = { passkey: body.passkey as RegistrationResponseJSON, label: body.label }
      keep(reply, (await addPasskey(deps, caller, made, session)).value)
      return { data: await readFactors(caller.user) }
    },
  )

  scope.delete(
    '/me/passkeys/:id',
    {
      config: { needs: 'own.change', confirms: true, refusals: ['conflict'], audits: 'user.factor_remove' },
      schema: {
        operationId: 'removePasskey',
        summary: 'Remove a passkey; the last factor of somebody who must have one stays',
        params: ByPasskeyId,
        response: { 200: record(MyFactors) },
      },
    },
    async ({ caller, params }) => {
      await removePasskey(deps, caller, params.id)
      return { data: await readFactors(caller.user) }
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
