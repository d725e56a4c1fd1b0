import type { IncomingMessage } from 'node:http'
import type { HttpServer } from './http-server.ts'

/** The record that a page shows, where it is counted how often the page is read. */
export type CountedPage = { kind: string; id: string }

/** Learns of each response that showed such a page, whether a route or the cache gave it. */
export type CountPage = (page: CountedPage, request: IncomingMessage, status: number) => void

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the route; its cached response has it too. */
    countedPage?: CountedPage
  }
}

/** Counts what the routes of a scope respond; the cache counts what it serves itself. */
export function countPages(scope: HttpServer, count: CountPage): void {
  scope.addHook('onResponse', (request, reply, done) => {
    const { countedPage, raw } = request
    if (countedPage !== undefined && reply.raw.writableFinished) count(countedPage, raw, reply.statusCode)
    done()
  })
}
