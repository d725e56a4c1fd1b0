import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionMaxAgeS } from '../../../platform/access/cookies.ts'
import { unauthenticated } from '../../../platform/errors.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { countRefusal, countSignIn } from '../metrics.ts'

/** Sets the cookie of the opened session and counts the sign-in; 401 if none was opened. */
export async function completeSignIn(
  { sessions, limits, cookies }: RouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { opened, method }: { opened: { value: string } | null; method: 'email' | 'passkey' },
) {
  const session = opened && (await sessions.find(opened.value))
  if (opened === null || session === null) {
    countRefusal(method)
    throw unauthenticated()
  }
  await limits.giveBackClient('sign_in', 'failure', request)
  countSignIn(method)
  cookies.set(reply, 'session', opened.value, sessionMaxAgeS)
  return { status: session.status }
}
