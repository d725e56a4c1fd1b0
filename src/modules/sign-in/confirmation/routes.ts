import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { FastifyRequest } from 'fastify'
import { sessionMaxAgeS } from '../../../platform/access/cookies.ts'
import { allows } from '../../../platform/access/rules.ts'
import { auditedSession, confirmSession } from '../../../platform/access/session-records.ts'
import type { Session } from '../../../platform/access/sessions.ts'
import { append } from '../../../platform/change.ts'
import { conflict, invalid, unauthenticated } from '../../../platform/errors.ts'
import { foldMailAddress } from '../../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import { onlyOnce } from '../../../platform/idempotency.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { challengeMail } from '../email/jobs.ts'
import { mailSecrets } from '../email/secrets.ts'
import { userOfAssertion } from '../factors/passkeys.ts'
import { ConfirmBody } from '../factors/schema.ts'
import { isFactorOf, isProven } from '../factors/show.ts'
import { countRefusal } from '../metrics.ts'
import { signInRules } from '../permissions.ts'
import { Confirmed, Sent } from '../schema.ts'
import { countMail } from '../send.ts'
import { closeAnswered, findOwnAddress, insertCodeChallenge, takeTry } from './queries.ts'

export function confirmationRoutes(scope: HttpServer, deps: RouteDeps): void {
  const { db, reads, jobs, config, cookies, limits, authenticate } = deps
  const secrets = () => mailSecrets(config.sessionKeys)

  /** Returns the session; 401 with the value from before a confirmation, which must not get another one. */
  async function sessionOf(request: FastifyRequest): Promise<Session> {
    const session = await authenticate.session(request)
    if (session === null || session.isFormer || !allows(signInRules.confirm, [session.status]))
      throw unauthenticated()
    return session
  }

  scope.post(
    '/auth/confirm/email',
    {
      config: { refusals: ['unauthenticated', 'conflict', 'rate_limited'], needs: 'session.confirm' },
      schema: {
        operationId: 'askForConfirmationMail',
        summary: 'Ask for a mailed code to confirm with; only where no second factor is set up',
        response: { 202: record(Sent) },
      },
    },
    async (request, reply) => {
      const session = await sessionOf(request)
      const userId = session.user.id
      const address = session.hasFactor ? null : await findOwnAddress(reads, userId)
      if (address === null) throw conflict()
      await countMail(deps, request, foldMailAddress(address), `session ${session.id}`)
      const caller = { ...request.caller, user: session.user }
      const data = await db.transaction().execute((tx) =>
        onlyOnce(tx, caller, async () => {
          const id = uuidv7()
          await insertCodeChallenge(tx, { id, purpose: 'confirmation', userId, sessionId: session.id })
          await jobs.enqueue(tx, challengeMail, { challengeId: id })
          return { sent: true as const }
        }),
      )
      return reply.code(202).send({ data })
    },
  )

  scope.post(
    '/auth/confirm',
    {
      config: {
        refusals: ['unauthenticated', 'rate_limited'],
        audits: 'session.confirm',
        needs: 'session.confirm',
      },
      schema: {
        operationId: 'confirmSession',
        summary: 'Confirm the session; allows sensitive actions for ten minutes',
        body: ConfirmBody,
        response: { 200: record(Confirmed) },
      },
    },
    async (request, reply) => {
      const { body } = request
      if (Object.keys(body).length !== 1) throw invalid('code', oneOfThem)
      const session = await sessionOf(request)
      await limits.countClient('sign_in', 'failure', request)
      const caller = { ...request.caller, user: session.user }
      const factor = body.passkey !== undefined ? 'passkey' : body.totp !== undefined ? 'totp' : 'code'
      if (!(await isProven(db, caller, session, factor, () => isConfirmedBy(session, body)))) {
        countRefusal('confirmation')
        throw unauthenticated()
      }
      await limits.giveBackClient('sign_in', 'failure', request)
      const value = await db.transaction().execute(async (tx) => {
        const after = { user_id: session.user.id, confirmed: true }
        const change = { kind: auditedSession, entityId: session.id, after }
        await append(tx, caller, { action: 'session.confirm', ...change })
        return confirmSession(tx, session)
      })
      if (value !== null) cookies.set(reply, 'session', value, sessionMaxAgeS)
      return { data: { confirmed: true as const } }
    },
  )

  async function isConfirmedBy(
    session: Session,
    { passkey, totp, code }: { passkey?: unknown; totp?: string; code?: string },
  ): Promise<boolean> {
    const { id } = session.user
    if (passkey !== undefined)
      return (await userOfAssertion(deps, passkey as AuthenticationResponseJSON, session)) === id
    if (totp !== undefined) return isFactorOf(deps, id, { totp })
    if (session.hasFactor) return false
    const taken = await takeTry(db, 'confirmation', id, session.id)
    return taken !== null && secrets().isCode(taken.id, code ?? '') && closeAnswered(db, taken.id)
  }
}

const oneOfThem = {
  en: 'or a code of an app or a passkey is required, and just one of them',
  fr: 'ou un code d’application ou une clé d’accès est requis, et un seul',
}
