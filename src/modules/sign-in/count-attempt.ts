import type { FastifyRequest } from 'fastify'
import type { RouteDeps } from '../../platform/module.ts'

/** An attempt to prove who one is, counted before the proof is checked. */
export type Attempt = { succeeded(): Promise<void> }

/**
 * Counts an attempt: 429 above the limit. Only failures stay counted. A `browser` that is known for the account has its own
 * count, so that failures from its network keep nobody out who has signed in there.
 */
export async function countAttempt(
  { limits }: Pick<RouteDeps, 'limits'>,
  request: FastifyRequest,
  browser: string | null,
): Promise<Attempt> {
  if (browser === null) {
    await limits.countClient('sign_in', 'failure', request)
    return { succeeded: () => limits.giveBackClient('sign_in', 'failure', request) }
  }
  const key = `failure ${browser}`
  await limits.countKey('sign_in', key)
  return { succeeded: () => limits.giveBackKey('sign_in', key) }
}
