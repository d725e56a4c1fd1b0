import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyInstance,
  FastifySchema,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify'
import type { Caller, SignedIn } from '../access/caller.ts'

/** The server, or a scope of it: routes added to it are typed by their schemas. */
export type HttpServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** A scope whose callers are signed in: its handlers get a `SignedIn`. */
export type SignedInScope = Record<'get' | 'post' | 'patch' | 'delete', SignedInRoute>

type SignedInRoute = <const Schema extends FastifySchema>(
  path: string,
  options: Typed<Schema>['options'],
  handler: (
    request: Parameters<Typed<Schema>['handler']>[0] & { caller: SignedIn },
    reply: Parameters<Typed<Schema>['handler']>[1],
  ) => ReturnType<Typed<Schema>['handler']>,
) => void

/** Fastify's own types of a route with this schema. */
type Typed<Schema extends FastifySchema> = {
  options: RouteShorthandOptions<
    RawServerDefault,
    IncomingMessage,
    ServerResponse,
    RouteGenericInterface,
    ContextConfigDefault,
    Schema,
    TypeBoxTypeProvider,
    FastifyBaseLogger
  >
  handler: RouteHandlerMethod<
    RawServerDefault,
    IncomingMessage,
    ServerResponse,
    RouteGenericInterface,
    ContextConfigDefault,
    Schema,
    TypeBoxTypeProvider,
    FastifyBaseLogger
  >
}

/** Who a route is for. */
export type Audience = 'open' | 'public' | 'bearer' | 'mairie' | 'admin' | 'webhook'

declare module 'fastify' {
  interface FastifyInstance {
    audience?: Audience
  }
  interface FastifyContextConfig {
    audience?: Audience
    /** The part of the back-office that an admin route lies in: said once, by its scope. */
    area?: string
    /** What the caller needs to be to a record, in words for the documentation. */
    needs?: string
    /** The action that the trail keeps of a change by this route. */
    audits?: string
    /** The errors that this route answers, beside those that its audience and its schemas bring. */
    refusals?: string[]
  }
  interface FastifyRequest {
    caller: Caller
  }
}
