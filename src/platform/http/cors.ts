import type { IncomingMessage } from 'node:http'
import type { FastifyCorsOptions } from '@fastify/cors'

const exposedHeaders = [
  'Deprecation',
  'ETag',
  'Location',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
]

export const corsOptions = (origins: string[]): FastifyCorsOptions => ({
  origin: origins,
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    // Clients of the tools at `/mcp` send them.
    'Mcp-Method',
    'Mcp-Name',
    'Mcp-Protocol-Version',
    'X-App-Source',
  ],
  exposedHeaders,
  maxAge: 600,
})

/** Returns the CORS headers of all responses, of whatever origin the request is; none if no origin is allowed. */
export const corsHeaders = (origins: string[]): string[] =>
  origins.length === 0 ? [] : ['vary', 'Origin', 'access-control-expose-headers', exposedHeaders.join(', ')]

/** Returns the header that lets a page of an allowed origin read the response. */
export function allowedOrigin(origins: string[], request: IncomingMessage): string[] {
  if (origins.length === 0) return []
  const { origin } = request.headers
  return origin !== undefined && origins.includes(origin) ? ['access-control-allow-origin', origin] : []
}
