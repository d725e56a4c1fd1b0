import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionMaxAgeS } from '../../../platform/access/cookies.ts'
import type { Client } from '../../../platform/access/session-records.ts'
import { unauthenticated } from '../../../platform/errors.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import type { Attempt } from '../count-attempt.ts'
import { rememberBrowser } from '../known-browsers.ts'
import { countRefusal, countSignIn } from '../metrics.ts'

type SignIn = {
  opened: { value: string } | null
  method: 'email' | 'passkey'
  client: Client
  attempt: Attempt
}

/**
 * Sets the cookie of the opened session, remembers the browser and counts the sign-in; 401 if none was opened. A browser
 * that still has to show a second factor is remembered when it has.
 */
export async function completeSignIn(
  deps: RouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { opened, method, client, attempt }: SignIn,
) {
  const { sessions, cookies } = deps
  const session = opened && (await sessions.find(opened.value))
  if (opened === null || session === null) {
    countRefusal(method)
    throw unauthenticated()
  }
  await attempt.succeeded()
  countSignIn(method)
  cookies.set(reply, 'session', opened.value, sessionMaxAgeS)
  if (session.status !== 'second_factor')
    rememberBrowser(deps, request, reply, session.user.id, client.deviceHash)
  return { status: session.status }
}
