import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { Area } from '../access/areas.ts'
import type { Caller } from '../access/caller.ts'
import type { ErrorCode } from '../errors.ts'

/** The server, or a scope of it: routes added to it are typed by their schemas. */
export type HttpServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Who a route is for. */
export type Audience = 'open' | 'public' | 'bearer' | 'mairie' | 'admin' | 'webhook'

declare module 'fastify' {
  interface FastifyInstance {
    audience?: Audience
  }
  interface FastifyContextConfig {
    audience?: Audience
    /** The part of the back-office that an admin route lies in. */
    area?: Area
    /** The errors that this route answers, beside those that its audience and its schemas bring. */
    refusals?: ErrorCode[]
  }
  interface FastifyRequest {
    caller: Caller
  }
}
