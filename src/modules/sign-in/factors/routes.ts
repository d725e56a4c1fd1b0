import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyReply } from 'fastify'
import type { User } from '../../../platform/access/caller.ts'
import { sessionMaxAgeS } from '../../../platform/access/cookies.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { addPasskey, registrationOptions, removePasskey } from './passkeys.ts'
import { findFactors } from './queries.ts'
import { beginTotp, confirmTotp, makeRecoveryCodes, mustHave, removeTotp } from './rules.ts'
import {
  ByPasskeyId,
  MyFactors,
  NewTotp,
  PasskeyBody,
  RecoveryCodes,
  TotpBody,
  WebAuthnOptions,
} from './schema.ts'

/** Routes for the user's own factors. Also open to users who must set one up before anything else. */
export function factorRoutes(scope: SignedInScope, deps: RouteDeps): void {
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
    async ({ caller }) => ({ data: await readFactors(deps, caller.user) }),
  )

  totpRoutes(scope, deps)
  recoveryCodesRoute(scope, deps)
  passkeyRoutes(scope, deps)
}

async function readFactors(deps: RouteDeps, user: User) {
  return { required: mustHave(user, deps), ...(await findFactors(deps.reads, user.id)) }
}

/** Gives the browser the new value of its session, if the value has changed. */
function keepSession({ cookies }: RouteDeps, reply: FastifyReply, value: string | null): void {
  if (value !== null) cookies.set(reply, 'session', value, sessionMaxAgeS)
}

function totpRoutes(scope: SignedInScope, deps: RouteDeps): void {
  scope.post(
    '/me/totp',
    {
      config: { needs: 'factor.add', confirms: true, confirmsTokens: true },
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
      config: {
        needs: 'factor.add',
        confirms: true,
        confirmsTokens: true,
        refusals: ['conflict'],
        audits: 'user.factor_add',
      },
      schema: {
        operationId: 'confirmTotp',
        summary: 'Take the new authenticator app into use, by one of its codes',
        body: TotpBody,
        response: { 200: record(MyFactors) },
      },
    },
    async ({ caller, session, body }, reply) => {
      keepSession(deps, reply, await confirmTotp(deps, caller, body.totp, session))
      return { data: await readFactors(deps, caller.user) }
    },
  )

  scope.delete(
    '/me/totp',
    {
      config: {
        needs: 'own.change',
        confirms: true,
        confirmsTokens: true,
        refusals: ['conflict'],
        audits: 'user.factor_remove',
      },
      schema: {
        operationId: 'removeTotp',
        summary: 'Remove the authenticator app; the last factor of somebody who must have one stays',
        response: { 200: record(MyFactors) },
      },
    },
    async ({ caller }) => {
      await removeTotp(deps, caller)
      return { data: await readFactors(deps, caller.user) }
    },
  )
}

function recoveryCodesRoute(scope: SignedInScope, { db }: RouteDeps): void {
  scope.post(
    '/me/recovery-codes',
    {
      config: {
        needs: 'factor.add',
        confirms: true,
        confirmsTokens: true,
        refusals: ['conflict'],
        audits: 'user.factor_add',
      },
      schema: {
        operationId: 'makeRecoveryCodes',
        summary: 'Make ten recovery codes in place of all others; needs another factor, and shows them once',
        response: { 200: record(RecoveryCodes) },
      },
    },
    async ({ caller }) => ({ data: { codes: await makeRecoveryCodes(db, caller) } }),
  )
}

function passkeyRoutes(scope: SignedInScope, deps: RouteDeps): void {
  scope.post(
    '/me/passkeys/options',
    {
      config: { needs: 'factor.add', confirms: true, confirmsTokens: true, refusals: ['not_found'] },
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
        confirmsTokens: true,
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
      keepSession(deps, reply, (await addPasskey(deps, caller, made, session)).value)
      return { data: await readFactors(deps, caller.user) }
    },
  )

  scope.delete(
    '/me/passkeys/:id',
    {
      config: {
        needs: 'own.change',
        confirms: true,
        confirmsTokens: true,
        refusals: ['conflict'],
        audits: 'user.factor_remove',
      },
      schema: {
        operationId: 'removePasskey',
        summary: 'Remove a passkey; the last factor of somebody who must have one stays',
        params: ByPasskeyId,
        response: { 200: record(MyFactors) },
      },
    },
    async ({ caller, params }) => {
      await removePasskey(deps, caller, params.id)
      return { data: await readFactors(deps, caller.user) }
    },
  )
}
