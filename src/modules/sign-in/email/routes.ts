import { invalid, notFound } from '../../../platform/errors.ts'
import { readAddress } from '../../../platform/formats/mail-address.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { describeClient } from '../client.ts'
import { countMail } from '../count-mail.ts'
import { findKnownBrowser } from '../known-browsers.ts'
import { EmailBody, Sent, SignedInStatus, VerifyBody } from '../schema.ts'
import { completeSignIn } from '../sessions/complete.ts'
import { askForMail, readCode, signInByMail } from './rules.ts'
import { mailSecrets } from './secrets.ts'

const attemptMaxAgeS = 15 * 60

export function emailRoutes(scope: HttpServer, deps: RouteDeps): void {
  const { db, config, cookies, limits, authenticate } = deps
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
      // Counted before the attempt, so that concurrent requests do not exceed the limit.
      await limits.countClient('sign_in', 'failure', request)
      const secrets = mailSecrets(config.sessionKeys)
      const challengeId =
        token === undefined
          ? await readCode({ db, secrets }, cookies.read(request, 'attempt'), code ?? '')
          : secrets.readLinkToken(token)
      const former = await authenticate.session(request)
      const client = describeClient(cookies, request, reply)
      const opened =
        challengeId === null
          ? null
          : await signInByMail({ ...deps, secrets }, request.caller, challengeId, client, former?.id ?? null)
      const data = await completeSignIn(deps, request, reply, { opened, method: 'email', client })
      cookies.clear(reply, 'attempt')
      return { data }
    },
  )
}

const oneOfBoth = { en: 'or a code is required, and not both', fr: 'ou un code est requis, et non les deux' }
