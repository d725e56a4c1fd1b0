import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../../platform/access/caller.ts'
import { digestOfValue, newCookieValue } from '../../../platform/access/cookies.ts'
import {
  type DigestIdentity,
  findValidAfterErasure,
  type LoadDigests,
} from '../../../platform/access/erased-identities.ts'
import type { Client } from '../../../platform/access/session-records.ts'
import { bindUser, callerOf, lockIdentity, ownIdentity } from '../../../platform/access/users.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import { readAddress } from '../../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import { onlyOnce } from '../../../platform/idempotency.ts'
import { areMailsDelayed } from '../../../platform/mail/transports.ts'
import type { Deps, RouteDeps } from '../../../platform/module.ts'
import { findUserId } from '../../users/queries.ts'
import { describeClient } from '../client.ts'
import { countAttempt } from '../count-attempt.ts'
import { countMail } from '../count-mail.ts'
import { findKnownBrowser } from '../known-browsers.ts'
import { EmailBody, Sent, SignedInStatus, VerifyBody } from '../schema.ts'
import { completeSignIn } from '../sessions/complete.ts'
import { type Account, lockAccount, openSession } from '../sessions/opening.ts'
import { challengeMail } from './jobs.ts'
import * as queries from './queries.ts'
import { type MailSecrets, mailSecrets } from './secrets.ts'

const attemptMaxAgeS = 15 * 60

export function emailRoutes(scope: HttpServer, deps: RouteDeps): void {
  const { db, config, cookies, authenticate } = deps
  const offersMail = config.mail.url !== null || config.databaseUrl === null

  scope.post(
    '/auth/email',
    {
      config: { refusals: ['not_found', 'rate_limited'] },
      schema: {
        operationId: 'askForSignInMail',
        description: 'Where sign-in by mail is offered; 404 elsewhere.',
        summary:
          'Ask for a mail with a link and a code to sign in with; the response never says whether it was sent',
        body: EmailBody,
        response: { 202: record(Sent) },
      },
    },
    async (request, reply) => {
      if (!offersMail) throw notFound()
      const address = readAddress(request.body.email)
      await countMail(deps, request, address, await findKnownBrowser(deps, request, address))
      const { sent, browser } = await askForMail(
        deps,
        request.caller,
        address,
        cookies.read(request, 'attempt'),
      )
      if (browser !== undefined) cookies.set(reply, 'attempt', browser, attemptMaxAgeS)
      const isDelayed = await areMailsDelayed(deps.reads)
      return reply.code(202).send({ data: { sent, ...(isDelayed && { delayed: true as const }) } })
    },
  )

  scope.post(
    '/auth/email/verify',
    {
      config: { refusals: ['unauthenticated', 'rate_limited'], audits: 'session.create' },
      schema: {
        operationId: 'verifySignInMail',
        summary:
          'Sign in with the token or the code of a mail; the code works in the browser that asked for it',
        body: VerifyBody,
        response: { 200: record(SignedInStatus) },
      },
    },
    async (request, reply) => {
      const { token, code } = request.body
      if ((token === undefined) === (code === undefined)) throw invalid('token', oneOfBoth)
      const secrets = mailSecrets(config.sessionKeys)
      const linked = token === undefined ? null : secrets.readLinkToken(token)
      const browser = token === undefined ? cookies.read(request, 'attempt') : null
      // Counted before the proof is checked, so that concurrent requests do not exceed the limit.
      const attempt = await countAttempt(deps, request, await findBrowserOf(request, browser, linked))
      const challengeId = token === undefined ? await readCode({ db, secrets }, browser, code ?? '') : linked
      const former = await authenticate.session(request)
      const client = describeClient(cookies, request, reply)
      const opened =
        challengeId === null
          ? null
          : await signInByMail({ ...deps, secrets }, request.caller, challengeId, client, former?.id ?? null)
      const data = await completeSignIn(deps, request, reply, { opened, method: 'email', client, attempt })
      cookies.clear(reply, 'attempt')
      return { data }
    },
  )

  /** Returns a name of the browser if all accounts that the proof may be for have signed in there; null otherwise. */
  async function findBrowserOf(request: FastifyRequest, browser: string | null, id: string | null) {
    if (cookies.read(request, 'known') === null) return null
    const browserHash = browser === null ? null : digestOfValue(browser)
    const addresses = await queries.listChallenged(deps.reads, { browserHash, id })
    const names = await Promise.all(addresses.map((address) => findKnownBrowser(deps, request, address)))
    return names.includes(null) ? null : (names[0] ?? null)
  }
}

const oneOfBoth = { en: 'or a code is required, and not both', fr: 'ou un code est requis, et non les deux' }

/**
 * Requests a mail, whose code works in this browser: `known` is the value of its cookie, null if it has none yet. Known
 * and unknown addresses run the same statements and get the same response; for an unknown one, the job finds no
 * recipient.
 */
function askForMail(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: Caller,
  address: string,
  known: string | null,
): Promise<{ sent: true; browser?: string }> {
  return db.transaction().execute(async (tx) => {
    let browser: string | undefined
    const answer = await onlyOnce(tx, caller, async () => {
      browser = known ?? newCookieValue()
      const id = uuidv7()
      await queries.insertSignIn(tx, { id, address, browserHash: digestOfValue(browser) })
      await jobs.enqueue(tx, challengeMail, { challengeId: id })
      return { sent: true as const }
    })
    return { ...answer, ...(browser !== undefined && { browser }) }
  })
}

type Tools = Pick<Deps, 'db' | 'jobs'> & { secrets: MailSecrets; digests: LoadDigests }

/** Returns the challenge of this browser that has the code; null if none has, and counts the attempt on each. */
async function readCode(
  { db, secrets }: Pick<Tools, 'db' | 'secrets'>,
  browser: string | null,
  code: string,
): Promise<string | null> {
  const ids = browser === null ? [] : await queries.takeTries(db, digestOfValue(browser))
  const id = ids.find((each) => secrets.isCode(each, code)) ?? null
  if (id !== null) await queries.giveBackTries(db, ids)
  return id
}

/**
 * Signs in the user of a challenge, in a new session; null if the challenge is not, or no longer, valid.
 * Locks the user: sign-in, revocation and erasure of a user never run concurrently.
 */
async function signInByMail(
  { db, jobs, digests }: Tools,
  caller: Caller,
  challengeId: string,
  client: Client,
  formerSession: string | null,
): Promise<{ value: string } | null> {
  const digestOf = await digests(db)
  return db.transaction().execute(async (tx) => {
    const user = await queries.findUserOfChallenge(tx, challengeId)
    if (user === null) return null
    // Before the user, as in an invitation.
    if (user.unbound_email !== null) await lockIdentity(tx, ownIdentity(user.unbound_email))
    const account = await lockAccount(tx, user.id)
    if (account === null) return null
    const closed = await queries.closeChallenge(tx, challengeId)
    if (closed === null) return null
    const own = { ...caller, ...callerOf(account.id, caller.requestId), source: caller.source }
    if (account.issuer === null && !(await bind(tx, digestOf, account))) return null
    await queries.noteSignIn(tx, account.id, closed.address)
    const method = closed.purpose === 'operator' ? 'operator' : 'email'
    return openSession(tx, jobs, own, { account, method, hasShownFactor: false, client, formerSession })
  })
}

/**
 * Binds a user created by a claim to the identity of its address, which is locked; false if the user has a role, or
 * another the identity, by now.
 */
async function bind(tx: Database, digestOf: DigestIdentity, { id, email, has_role }: Account) {
  if (has_role || email === null) return false
  const identity = ownIdentity(email)
  if ((await findUserId(tx, identity)) !== null) return false
  await bindUser(tx, callerOf(id, null), identity, await findValidAfterErasure(tx, digestOf(identity)))
  return true
}
