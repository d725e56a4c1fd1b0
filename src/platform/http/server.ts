import type { Socket } from 'node:net'
import cors from '@fastify/cors'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import helmet from '@fastify/helmet'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import underPressure from '@fastify/under-pressure'
import {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifySerializerCompiler,
  fastify,
  LogController,
} from 'fastify'
import type { Config } from '../config.ts'
import { malformedRequest, notFound, unavailable } from '../errors.ts'
import { infoLines } from '../log/log.ts'
import { uuidv7 } from '../uuid.ts'
import { acceptJsonBodies } from './bodies.ts'
import { type ConstraintErrors, errorBody, errorHandler } from './error-handler.ts'
import type { HttpServer } from './http-server.ts'
import { shortAddress } from './rate-limits/addresses.ts'
import { validatorCompiler } from './validation.ts'

type ServerOptions = {
  config: Config
  log: FastifyBaseLogger
  constraintErrors: ConstraintErrors
  maxEventLoopDelayMs?: number
}

/** What every answer has in common, whatever its route: safety headers, limits, errors, request ids, the log line. */
export async function createServer({ config, log, constraintErrors, ...options }: ServerOptions) {
  const handleError = errorHandler(constraintErrors)
  const writeLine = infoLines(log)
  const server: HttpServer = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => uuidv7(),
    requestIdHeader: false,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    bodyLimit: 1_048_576,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    // A client that sends slowly has a connection, and not for long.
    requestTimeout: 20_000,
    keepAliveTimeout: 65_000,
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 16_384,
      // Refused below, in the shape of every other refusal.
      requireHostHeader: false,
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      handleError(error, request, reply)
    },
    clientErrorHandler: answerUnreadable,
  }).withTypeProvider<TypeBoxTypeProvider>()

  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  server.setErrorHandler(handleError)
  server.setNotFoundHandler(() => {
    throw notFound()
  })
  // Node would answer an expectation that it does not know by itself, and bare: it is no reason to refuse.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  )
  server.decorateRequest('failure')
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.raw.once('close', () => logRequest(request, reply, writeLine))
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') throw malformedRequest()
    // Whatever its body is.
    if (request.is404 || isPlainOptions(request)) throw notFound()
  })
  server.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  acceptJsonBodies(server)
  await server.register(helmet, {
    // Answers are data: nothing in them may run. The documentation page states its own policy.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Whether the name is served over TLS is known by what stands in front.
    strictTransportSecurity: false,
    // These are about pages, and about browsers of long ago: to data they say nothing, twenty bytes at a time.
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  if (config.corsOrigins.length > 0) await server.register(cors, corsOptions(config.corsOrigins))
  await server.register(underPressure, {
    maxEventLoopDelay: options.maxEventLoopDelayMs ?? 1_000,
    pressureHandler: (request) => {
      if (request.routeOptions.url !== '/healthz') throw unavailable('the event loop is behind')
    },
  })
  return server
}

/** Fastify's own, made once for each shape of an answer: the refusals of all routes have few. */
const serializerCompiler: FastifySerializerCompiler<unknown> = ({ httpStatus = '', ...route }) => {
  const shape = JSON.stringify(route.schema)
  const serialize = serializers.get(shape) ?? makeSerializer({ ...route, httpStatus })
  serializers.set(shape, serialize)
  return serialize
}

const makeSerializer = SerializerSelector()({}, {})
const serializers = new Map<string, ReturnType<typeof makeSerializer>>()

/** One line per request, whose client may have left before its answer was out. */
function logRequest(request: FastifyRequest, reply: FastifyReply, writeLine: (fields: string) => void): void {
  const { method, routeOptions, caller, failure, log } = request
  const line = {
    method,
    route: routeOptions.url,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    from: shortAddress(request.ip),
    ...failure,
    ...(caller?.user && { user_id: caller.user.id }),
    ...(caller?.source && { app_source: caller.source.code }),
    ...(!reply.raw.writableFinished && { aborted: true }),
  }
  if (reply.statusCode >= 500) log.warn(line)
  else if (failure !== undefined) log.info(line)
  // All that it says is ours: to look for what must not be told would be a seventh of a small read.
  else writeLine(JSON.stringify({ request_id: request.id, ...line }).slice(1, -1))
}

/** No question that a browser asks before a request: no path has the method otherwise. */
const isPlainOptions = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' && (!headers.origin || !headers['access-control-request-method'])

const corsOptions = (origins: string[]) => ({
  origin: origins,
  methods: ['GET', 'POST', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'X-App-Source',
  ],
  exposedHeaders: ['ETag', 'Retry-After', 'X-Request-Id'],
  maxAge: 600,
})

/** What is not HTTP has no route, but is answered in the same shape. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(errorBody(malformedRequest(), undefined))
  // Node looks after such a connection no longer: who keeps their side open would have it for ever.
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
