import { confirmationRequired, keyRefused } from '../errors.ts'
import type { HttpServer } from './http-server.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requires a fresh confirmation of the session: always, or if the function returns true. */
    confirms?: boolean | ((asked: { body: unknown; query: unknown }) => boolean)
  }
}

/**
 * Refuses a session without the fresh confirmation that a route requires, once the body has been validated.
 * Bearer tokens need none; access keys open none of these routes.
 */
export function requireConfirmation(server: HttpServer): void {
  server.addHook('preHandler', async ({ session, caller, routeOptions, body, query }) => {
    const { confirms = false } = routeOptions.config
    const isKey = caller?.user?.key !== undefined
    if (!isKey && (session === null || session === undefined || session.isConfirmed)) return
    if (typeof confirms === 'function' ? confirms({ body, query }) : confirms)
      throw isKey ? keyRefused() : confirmationRequired()
  })
}
