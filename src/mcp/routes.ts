import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKey } from '../platform/access/keys.ts'
import type { Config } from '../platform/config/config.ts'
import { forbidden, malformedRequest, unauthenticated } from '../platform/errors.ts'
import { open } from '../platform/http/audiences.ts'
import type { HttpServer } from '../platform/http/http-server.ts'
import { defaultBodyLimits } from '../platform/http/overload/received-bodies.ts'
import type { Clock } from '../platform/time/clock.ts'
import { todayInParis } from '../platform/time/paris-time.ts'
import type { ApiAnswer } from './server.ts'
import type { ApiCall } from './tools.ts'

type Options = { config: Pick<Config, 'publicUrl' | 'corsOrigins'>; clock: Clock }

/**
 * Serves tools for language models at `/mcp`, as Streamable HTTP without sessions. A tool sends a request to the API through
 * its routes, on behalf of the address and the access key of the client: their slots, limits, scopes, visibility and audit
 * hold. `/mcp` itself takes no slot, because it would keep one while it waits for another.
 */
export function mcpRoutes(server: HttpServer, { config, clock }: Options): void {
  open(server, (scope) => {
    scope.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/mcp',
      bodyLimit: defaultBodyLimits.publicBytes,
      async handler(request, reply) {
        refuseOtherSites(request, config)
        // A list of calls would make as many requests as it has items.
        if (Array.isArray(request.body)) throw malformedRequest()
        const key = keyOf(request)
        // Loaded by the first request: the library takes 30 MB, and half a second.
        const { handlerFor } = await import('./server.ts')
        const send = (call: ApiCall) => sendCall(server, request, call, key)
        const handler = handlerFor({ send, hasKey: key !== null, today: todayInParis(clock()) })
        const { method, headers, body } = request
        const asked = new Request(new URL('/mcp', config.publicUrl), { method, headers: plain(headers) })
        return relay(reply, await handler.fetch(asked, { parsedBody: body }))
      },
    })
  })
}

/** Refuses pages of other sites, also those whose name resolves to this machine (DNS rebinding). */
function refuseOtherSites({ headers }: FastifyRequest, { publicUrl, corsOrigins }: Options['config']): void {
  const { origin } = headers
  if (origin === undefined || corsOrigins.includes(origin)) return
  const url = URL.parse(origin)
  if (url === null) throw forbidden()
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (!isLocal && url.origin !== new URL(publicUrl).origin) throw forbidden()
}

/** Returns the access key; null without one. Tokens and cookies of people are for their own programs. */
function keyOf({ headers }: FastifyRequest): string | null {
  if (headers.authorization === undefined) return null
  const [, key = ''] = /^Bearer ([\w.~+/-]+=*)$/i.exec(headers.authorization) ?? []
  if (!isKey(key)) throw unauthenticated()
  return key
}

async function sendCall(
  server: HttpServer,
  { ip, headers }: FastifyRequest,
  { path, query = {}, body }: ApiCall,
  key: string | null,
): Promise<ApiAnswer> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const answer = await server.inject({
    method: body === undefined ? 'GET' : 'POST',
    url: `/api/v1${path}`,
    query: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    ...(body !== undefined && { payload: body }),
    remoteAddress: ip,
    headers: {
      'x-app-source': headers['x-app-source'] ?? 'public',
      'accept-language': headers['accept-language'] ?? 'fr',
      ...(key !== null && body !== undefined && { authorization: `Bearer ${key}` }),
    },
  })
  const wait = answer.headers['retry-after']
  return {
    status: answer.statusCode,
    body: { ...answer.json(), ...(wait && { retry_after_s: Number(wait) }) },
  }
}

/** Headers as a `Request` takes them, without those of the connection. */
const plain = ({ accept, 'content-type': type, ...headers }: FastifyRequest['headers']) =>
  Object.fromEntries(
    Object.entries({ ...ofProtocol(headers), accept, 'content-type': type }).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  )

const ofProtocol = (headers: FastifyRequest['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-')))

async function relay(reply: FastifyReply, response: Response): Promise<string> {
  for (const name of ['content-type', 'allow']) {
    const value = response.headers.get(name)
    if (value !== null) reply.header(name, value)
  }
  reply.code(response.status)
  return response.text()
}
