import type { Socket } from 'node:net'
import { fastifyCookie } from '@fastify/cookie'
import cors from '@fastify/cors'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import underPressure from '@fastify/under-pressure'
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from 'fastify'
import type { Config } from '../config/config.ts'
import { malformedRequest, notFound, unavailable } from '../errors.ts'
import { shortAddress } from '../formats/network-address.ts'
import { uuidv7 } from '../formats/uuid.ts'
import { type RequestLine, requestLog } from '../log/request-log.ts'
import { corsOptions } from './cors.ts'
import { type ConstraintErrors, type ErrorPage, errorBody, errorHandler } from './error-handler.ts'
import { hasValidHost } from './host.ts'
import { type Hosts, separateHosts } from './hosts.ts'
import { type HttpServer, hasConnection } from './http-server.ts'
import { queuedMs } from './overload/queue-times.ts'
import { parseQuery } from './route-table.ts'
import { securityHeaders } from './security-headers.ts'
import { serializerCompiler } from './serializer.ts'
import { acceptJsonBodies } from './validation/bodies.ts'
import { validatorCompiler } from './validation/validation.ts'

type ServerOptions = {
  config: Config
  hosts: Hosts
  log: FastifyBaseLogger
  constraintErrors: ConstraintErrors
  errorPage?: ErrorPage | undefined
  maxEventLoopDelayMs?: number
}

/**
 * Creates the server with everything that all routes share: security headers, limits, errors, request ids, the log
 * line.
 */
export async function createServer({ config, log, hosts, constraintErrors, ...options }: ServerOptions) {
  const handleError = errorHandler(constraintErrors, options.errorPage)
  const writeLine = requestLog(log)
  const server: HttpServer = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => uuidv7(),
    requestIdHeader: false,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: 1_048_576,
    routerOptions: { maxParamLength: 255, ignoreTrailingSlash: false, querystringParser: parseQuery },
    // Limits how long a slow client can hold a connection.
    requestTimeout: 20_000,
    keepAliveTimeout: 65_000,
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16_384,
      // Refused by the `onRequest` hook, in the usual error format.
      requireHostHeader: false,
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id).headers(securityHeaders)
      handleError(error, request, reply)
    },
    clientErrorHandler: respondToUnreadable,
  }).withTypeProvider<TypeBoxTypeProvider>()

  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  server.setErrorHandler(handleError)
  server.setNotFoundHandler(() => {
    throw notFound()
  })
  // Node would refuse an unknown Expect header, without a body; it is no reason to refuse.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  )
  server.decorateRequest('failure')
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).headers(securityHeaders)
    reply.raw.once('close', () => writeLine(requestLine(request, reply)))
    if (!hasValidHost(request.raw)) throw malformedRequest()
    // The CORS plugin would respond in a different format.
    if (isPlainOptions(request)) throw notFound()
  })
  separateHosts(server, hosts)
  server.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  acceptJsonBodies(server)
  // Registers only its functions: routes that need cookies parse them.
  await server.register(fastifyCookie, { hook: false })
  if (config.corsOrigins.length > 0) await server.register(cors, corsOptions(config.corsOrigins))
  // Before the body is read, and after CORS: a browser may read this refusal like any other.
  server.addHook('onRequest', async (request) => {
    if (request.is404) throw notFound()
  })
  await server.register(underPressure, {
    maxEventLoopDelay: options.maxEventLoopDelayMs ?? 1_000,
    pressureHandler: ({ routeOptions: { url, config } }) => {
      if (url !== '/healthz' && config.load !== 'static') throw unavailable('the event loop is behind')
    },
  })
  return server
}

/** Describes a request for the log, also if the client disconnected before the response was sent. */
function requestLine(request: FastifyRequest, reply: FastifyReply): RequestLine {
  const { id, method, routeOptions, caller, failure } = request
  const waitedMs = queuedMs(request.raw)
  return {
    request_id: id,
    method,
    route: routeOptions.url,
    status: reply.statusCode,
    ms: waitedMs + reply.elapsedTime,
    ...(waitedMs >= 1 && { queued_ms: Math.round(waitedMs) }),
    from: shortAddress(request.ip),
    ...failure,
    ...(caller?.user && { user_id: caller.user.id }),
    ...(caller?.source && { app_source: caller.source.code }),
    ...(hasConnection(request.raw) && !reply.raw.writableFinished && { aborted: true }),
  }
}

/** True for an OPTIONS request that is not a CORS preflight; no route has that method. */
const isPlainOptions = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' && (!headers.origin || !headers['access-control-request-method'])

/** Responds in the usual error format to input that is not HTTP. */
function respondToUnreadable(error: NodeJS.ErrnoException, socket: Socket) {
  // Browsers open connections in advance: one may just be sending its first request and would take this for the response.
  const wasNeverUsed = socket.bytesRead === 0
  if (error.code === 'ECONNRESET' || wasNeverUsed || !socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(errorBody(malformedRequest(), undefined))
  // Node no longer tracks such a connection; a client that keeps its side open would occupy it forever.
  const timer = setTimeout(() => socket.destroy(), 1_000)
  socket.once('close', () => clearTimeout(timer))
  socket.end(
    [
      'HTTP/1.1 400 Bad Request',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${uuidv7()}`,
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
