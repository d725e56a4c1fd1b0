import type { FastifyRequest } from 'fastify'
import { digestOfValue } from '../../../platform/access/cookies.ts'
import { invalid, notFound } from '../../../platform/errors.ts'
import { readAddress } from '../../../platform/formats/mail-address.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { describeClient } from '../client.ts'
import { countAttempt } from '../count-attempt.ts'
import { countMail } from '../count-mail.ts'
import { findKnownBrowser } from '../known-browsers.ts'
import { EmailBody, Sent, SignedInStatus, VerifyBody } from '../schema.ts'
import { completeSignIn } from '../sessions/complete.ts'
import { listChallenged } from './queries.ts'
import { askForMail, readCode, signInByMail } from './rules.ts'
import { mailSecrets } from './secrets.ts'

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
      return reply.code(202).send({ data: { sent } })
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
    const addresses = await listChallenged(deps.reads, { browserHash, id })
    const names = await Promise.all(addresses.map((address) => findKnownBrowser(deps, request, address)))
    return names.includes(null) ? null : (names[0] ?? null)
  }
}

const oneOfBoth = { en: 'or a code is required, and not both', fr: 'ou un code est requis, et non les deux' }
