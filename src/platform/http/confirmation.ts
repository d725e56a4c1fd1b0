import { confirmationRequired } from '../errors.ts'
import type { HttpServer } from './http-server.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A session needs a fresh confirmation for this: always, or for requests of which this is true. */
    confirms?: boolean | ((asked: { body: unknown; query: unknown }) => boolean)
  }
}

/** Refuses what needs a fresh confirmation, once the body is known to be valid. Bearer tokens need none. */
export function requireConfirmation(server: HttpServer): void {
  server.addHook('preHandler', async ({ session, routeOptions, body, query }) => {
    const { confirms = false } = routeOptions.config
    if (session === null || session === undefined || session.isConfirmed) return
    if (typeof confirms === 'function' ? confirms({ body, query }) : confirms) throw confirmationRequired()
  })
}
