import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { HttpServer } from './http-server.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/**
 * Runs a handler on each request before Fastify sees it; `next` passes the request on. The handler that was added last
 * runs first.
 */
export function beforeFastify({ server }: HttpServer, handle: Handler): void {
  const [serve] = server.listeners('request') as RequestListener[]
  if (serve === undefined) throw new Error('The server has no request listener.')
  server.removeListener('request', serve)
  server.prependListener('request', (request, response) =>
    handle(request, response, () => serve(request, response)),
  )
}
