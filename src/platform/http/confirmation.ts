import { isFresh } from '../access/tokens.ts'
import { confirmationRequired, keyRefused } from '../errors.ts'
import type { Clock } from '../time/clock.ts'
import type { HttpServer } from './http-server.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requires a fresh confirmation of the session: always, or if the function returns true. */
    confirms?: boolean | ((asked: { body: unknown; query: unknown }) => boolean)
    /**
     * Requires it of bearer tokens too: what the route does takes an account, and outlives the token. Only a token whose
     * owner has just signed in (`auth_time`) has it.
     */
    confirmsTokens?: true
  }
}

/**
 * Refuses a caller without the fresh confirmation that a route requires, once the body has been validated. Access keys
 * open none of these routes.
 */
export function requireConfirmation(server: HttpServer, clock: Clock): void {
  server.addHook('preHandler', async ({ session, caller, authenticatedAt, routeOptions, body, query }) => {
    const { confirms = false, confirmsTokens = false } = routeOptions.config
    if (!(typeof confirms === 'function' ? confirms({ body, query }) : confirms)) return
    if (caller?.user?.key !== undefined) throw keyRefused()
    const isConfirmed = session ? session.isConfirmed : !confirmsTokens || isFresh(authenticatedAt, clock())
    if (!isConfirmed) throw confirmationRequired()
  })
}
