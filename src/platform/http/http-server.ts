import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyContextConfig,
  FastifyInstance,
  FastifyRequest,
  FastifySchema,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify'
import type { Caller, SignedIn } from '../access/caller.ts'
import type { Rule } from '../access/rules.ts'
import type { ErrorPage } from './error-handler.ts'

/** The server or a scope of it. Routes added to it are typed by their schemas. */
export type HttpServer = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** A scope for signed-in users: its handlers get a `SignedIn` caller. */
export type SignedInScope = Record<'get' | 'post' | 'put' | 'patch' | 'delete', SignedInRoute>

type SignedInRoute = <const Schema extends FastifySchema>(
  path: string,
  options: Typed<Schema>['options'],
  handler: (
    request: Parameters<Typed<Schema>['handler']>[0] & { caller: SignedIn },
    reply: Parameters<Typed<Schema>['handler']>[1],
  ) => ReturnType<Typed<Schema>['handler']>,
) => void

/** Fastify's own types for a route with this schema. */
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

/** Records in the metrics a request that bypasses Fastify. */
export type ObserveRequest = (method: string, route: string, status: number, seconds: number) => void

/** The audience of a route. */
export type Audience =
  | 'open'
  | 'public'
  | 'sign-in'
  | 'navigation'
  | 'bearer'
  | 'mairie'
  | 'admin'
  | 'webhook'
  | 'page'

export type RouteScope = {
  audience: Audience
  /** The back-office area of an admin route. */
  area?: string
  /** The rules named in `needs`. A rule that allows `enrolment` also admits sessions without the required factor. */
  rules?: readonly Rule[]
  /** The application of a page: a browser that opens it sends no `X-App-Source`. */
  appSource?: string
}
type PageConfig = {
  /** A page of one person, whose address is a secret: nobody stores it. */
  isPersonal?: boolean
  /** Shows the form again when it is refused. Limits and refused writes then wait for the body, for its text. */
  showsAgain?: ErrorPage
}

/** Returns whether limits and refused writes are checked once the body has been read, to show a form again. */
export const readsBodyFirst = ({ page }: FastifyContextConfig): boolean => page?.showsAgain !== undefined

/** Returns whether a client sent the request; false for one that the process makes of itself, as the tools at `/mcp` do. */
export const hasConnection = ({ socket }: IncomingMessage): boolean => socket instanceof Socket

declare module 'fastify' {
  interface FastifyInstance {
    audience?: Audience
  }
  interface FastifyContextConfig {
    /** Set by the scope that registers the route. */
    scope?: RouteScope
    /** Options of a page of the public site; API routes have none. */
    page?: PageConfig
    /** Names the rules that guard the route, from the `permissions` of a module. */
    needs?: string | readonly string[]
    /** The audit action that this route writes. */
    audits?: string
    /** Path template of the created record (201), without the API prefix: `/admin/acteurs/{id}`. */
    location?: string | ((request: FastifyRequest) => string)
    /** Marks a toggle (a PATCH without a body) that accepts `Idempotency-Key`: repeating it would undo it. */
    repeatable?: true
    /** Error codes of this route in addition to those of its audience and schemas. */
    refusals?: string[]
  }
  interface FastifyRequest {
    caller: Caller
  }
}
