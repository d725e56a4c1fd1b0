import { secretBox } from '../../platform/access/secret-box.ts'
import { endSession } from '../../platform/access/session-records.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import { areMailsDelayed } from '../../platform/mail/transports.ts'
import type { RouteDeps } from '../../platform/module.ts'
import { relyingParty } from './factors/passkeys.ts'
import { providerOf } from './oidc/provider.ts'
import { takeIdToken } from './oidc/queries.ts'
import { Methods, SignedOut, SignInProgress } from './schema.ts'
import { findNamed } from './sessions/queries.ts'

/** Routes to list the enabled sign-in methods, to ask how far a sign-in is, and to sign out, at the provider too. */
export function methodRoutes(scope: HttpServer, deps: RouteDeps): void {
  const { db, reads, config, cookies, authenticate } = deps
  const provider = providerOf(config)
  const methods = {
    // Without a mail server, the embedded database setup writes mails to files that the operator can open.
    email: config.mail.url !== null || config.databaseUrl === null,
    mail: config.mail.url === null ? ('files' as const) : ('smtp' as const),
    passkey: relyingParty(config.publicUrl) !== null,
    oidc: provider === null ? null : { label: provider.settings.label },
  }

  scope.get(
    '/auth/methods',
    {
      schema: {
        operationId: 'getSignInMethods',
        summary: 'List the enabled sign-in methods',
        response: { 200: record(Methods) },
      },
    },
    // Also without the database: passkeys and the provider are offered then, too.
    async () => ({ data: { ...methods, mails_delayed: await areMailsDelayed(reads).catch(() => false) } }),
  )

  scope.get(
    '/auth/session',
    {
      schema: {
        operationId: 'getSignInProgress',
        summary: 'How far the sign-in of this browser is, and whose it is',
        response: { 200: record(SignInProgress) },
      },
    },
    async (request) => {
      const session = await authenticate.session(request)
      if (session === null) return { data: { status: 'none' as const, user: null } }
      const { status, user } = session
      return { data: { status, user: status === 'second_factor' ? null : await findNamed(reads, user.id) } }
    },
  )

  scope.post(
    '/auth/logout',
    {
      config: { audits: 'session.end' },
      schema: {
        operationId: 'signOut',
        summary: 'End the session of this browser; without one nothing is done',
        response: { 200: record(SignedOut) },
      },
    },
    async (request, reply) => {
      const session = await authenticate.session(request)
      cookies.clear(reply, 'session')
      if (session === null) return { data: { redirect: null } }
      const caller = { ...request.caller, user: session.user }
      const idToken = await db.transaction().execute(async (tx) => {
        await endSession(tx, caller, session.id, 'signed_out')
        return session.method === 'oidc' ? takeIdToken(tx, session.id) : null
      })
      if (provider === null || session.method !== 'oidc') return { data: { redirect: null } }
      // Signing out works without the token, if SESSION_KEY has changed since.
      const opened = idToken && secretBox(config.sessionKeys, 'openid tokens').open(idToken, session.id)
      return { data: { redirect: await provider.endSessionUrl(opened) } }
    },
  )
}
