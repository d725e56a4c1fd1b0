import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { sessionMaxAgeS } from '../../platform/access/cookies.ts'
import { allows } from '../../platform/access/rules.ts'
import { auditedSession, confirmSession } from '../../platform/access/session-records.ts'
import type { Session } from '../../platform/access/sessions.ts'
import { ownIssuer } from '../../platform/access/tokens.ts'
import { append } from '../../platform/change.ts'
import type { Database } from '../../platform/database/connect.ts'
import { conflict, invalid, unauthenticated } from '../../platform/errors.ts'
import { foldMailAddress } from '../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import { onlyOnce } from '../../platform/idempotency.ts'
import type { RouteDeps } from '../../platform/module.ts'
import { countAttempt } from './count-attempt.ts'
import { countMail } from './count-mail.ts'
import { challengeMail } from './email/jobs.ts'
import { mailSecrets } from './email/secrets.ts'
import { userOfAssertion } from './factors/passkeys.ts'
import { ConfirmBody } from './factors/schema.ts'
import { isFactorOf, isProven } from './factors/show.ts'
import { knownBrowserOf } from './known-browsers.ts'
import { countRefusal } from './metrics.ts'
import { signInRules } from './permissions.ts'
import { Confirmed, Sent } from './schema.ts'

export function confirmationRoutes(scope: HttpServer, deps: RouteDeps): void {
  const { db, reads, jobs, config, cookies, authenticate } = deps
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
      const attempt = await countAttempt(deps, request, knownBrowserOf(deps, request, session.user.id))
      const caller = { ...request.caller, user: session.user }
      const factor = body.passkey !== undefined ? 'passkey' : body.totp !== undefined ? 'totp' : 'code'
      if (!(await isProven(db, caller, session, factor, () => isConfirmedBy(session, body)))) {
        countRefusal('confirmation')
        throw unauthenticated()
      }
      await attempt.succeeded()
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

/** Returns the address to mail a code to; null unless the account is of the service's own issuer. */
async function findOwnAddress(db: Database, userId: string): Promise<string | null> {
  const { rows } = await sql<{ email: string | null }>`
    select email from users where id = ${userId} and issuer = ${sql.lit(ownIssuer)} and actif`.execute(db)
  return rows[0]?.email ?? null
}

type New = {
  id: string
  purpose: 'confirmation' | 'address'
  userId: string
  sessionId: string | null
  address?: string
}

/**
 * Inserts a challenge and closes the previous one, so that its code is no longer valid. Locks the user: of two
 * concurrent calls, the second closes the challenge of the first.
 */
export async function insertCodeChallenge(
  tx: Database,
  { id, purpose, userId, sessionId, address }: New,
): Promise<void> {
  await sql`select from users where id = ${userId} for no key update`.execute(tx)
  await sql`
    update email_challenges set closed_at = now()
    where user_id = ${userId} and purpose = ${purpose} and session_id is not distinct from ${sessionId}::uuid
      and closed_at is null`.execute(tx)
  await sql`
    insert into email_challenges (id, purpose, user_id, session_id, address, expires_at)
    values (${id}, ${purpose}, ${userId}, ${sessionId}, ${address ?? null}, now() + interval '15 minutes')`.execute(
    tx,
  )
}

/** Uses up one of the five attempts of the user's only open challenge; null if no attempt is left. */
export async function takeTry(
  db: Database,
  purpose: 'confirmation' | 'address',
  userId: string,
  sessionId: string | null,
): Promise<{ id: string; address: string | null } | null> {
  const { rows } = await sql<{ id: string; address: string | null }>`
    update email_challenges set wrong_codes = wrong_codes + 1
    where user_id = ${userId} and purpose = ${purpose} and session_id is not distinct from ${sessionId}::uuid
      and closed_at is null and expires_at > now() and wrong_codes < 5
    returning id, address`.execute(db)
  return rows[0] ?? null
}

/** Closes all challenges of a user, whose row the caller has locked for update: inserts wait for that lock. */
export async function closeChallengesOf(tx: Database, userId: string): Promise<void> {
  await sql`update email_challenges set closed_at = now() where user_id = ${userId} and closed_at is null`.execute(
    tx,
  )
}

/** Closes a challenge after the right code. Of several concurrent calls, one returns true. */
export async function closeAnswered(tx: Database, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update email_challenges set closed_at = now(), wrong_codes = wrong_codes - 1
    where id = ${id} and closed_at is null`.execute(tx)
  return numAffectedRows === 1n
}
