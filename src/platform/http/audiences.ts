import type { FastifyRequest, RouteOptions } from 'fastify'
import Type from 'typebox'
import type { AppSources } from '../access/app-sources.ts'
import { opens } from '../access/areas.ts'
import type { Authenticate } from '../access/authenticate.ts'
import type { Caller, User } from '../access/caller.ts'
import { requireMairieActeur, requireMairieOfCommune } from '../access/mairies.ts'
import type { Database } from '../database/connect.ts'
import { adminRequired, type Errors, missingAppSource, scopeViolation } from '../errors.ts'
import { answerConditionally } from './conditional.ts'
import type { Audience, HttpServer, SignedInScope } from './http-server.ts'
import { refusalsOf } from './openapi/refusals.ts'
import { noBody } from './schemas.ts'
import { tagVersion } from './versions.ts'

export type AudienceDeps = { db: Database; sources: AppSources; authenticate: Authenticate }
type Routes = (scope: HttpServer) => void
type SignedInRoutes = (scope: SignedInScope) => void

/**
 * A route belongs to the audience whose scope it is registered in, and each scope states its checks once, here; a
 * route outside all of them stops the start.
 */
export function refuseRoutesWithoutAudience(server: HttpServer, errors: Errors): void {
  const describeRefusals = refusalsOf(errors)
  server.decorateRequest('caller')
  server.addHook('onRoute', function (route) {
    const audience = (this as HttpServer).audience
    const name = `${String(route.method)} ${route.url}`
    if (audience === undefined) throw new Error(`${name} declares no right: register it in an audience.`)
    if (audience === 'open') return
    if (route.schema?.operationId === undefined || route.schema.summary === undefined) {
      throw new Error(`${name} needs an operationId and a summary.`)
    }
    route.config = { ...route.config, audience }
    if (takesNoBody(route) && audience !== 'webhook') route.schema = { ...route.schema, body: noBody }
    if (audience !== 'webhook' && !(audience === 'public' && isRead(route))) refuseStrangeQuery(route)
    describeRefusals(route, audience)
  })
}

/** Nothing that is sent is silently dropped: where no body is expected, one that says something is refused. */
const takesNoBody = (route: RouteOptions) => route.schema?.body === undefined && !isRead(route)

const isRead = ({ method }: RouteOptions) => ['GET', 'HEAD'].includes(String(method))

/** A misspelt filter would show everything. Public links pick up parameters of others on their way: they are ignored. */
function refuseStrangeQuery(route: RouteOptions): void {
  const querystring = (route.schema?.querystring ?? Type.Object({})) as object
  route.schema = { ...route.schema, querystring: { ...querystring, additionalProperties: false } }
}

/** Health and documentation: outside the API, for anybody. */
export function open(server: HttpServer, routes: (scope: HttpServer) => void | Promise<void>): void {
  server.register(async (scope: HttpServer) => {
    scope.decorate('audience', 'open')
    await routes(scope)
  })
}

/** Public reading: the application names itself; nobody signs in, and `Authorization` is not looked at. */
export function publicReads(server: HttpServer, { sources }: AudienceDeps, routes: Routes): void {
  register(server, 'public', routes, (scope) => {
    scope.addHook('onRequest', async (request) => {
      const code = requireAppSource(request)
      request.caller = callerOf(request, null, await sources.find(code))
    })
    scope.addHook('onSend', answerConditionally)
  })
}

/** Public writing: as reading, but who signs in is known, and a bad token is refused. */
export function publicWrites(
  server: HttpServer,
  { sources, authenticate }: AudienceDeps,
  routes: Routes,
): void {
  register(server, 'public', routes, (scope) => {
    scope.addHook('onRequest', async (request) => {
      const code = requireAppSource(request)
      const user = request.headers.authorization === undefined ? null : await authenticate(request)
      request.caller = callerOf(request, user, await sources.find(code))
    })
  })
}

/** Somebody signed in. The application may stay unnamed, and is then `public`. */
export function bearer(
  server: HttpServer,
  { sources, authenticate }: AudienceDeps,
  routes: SignedInRoutes,
): void {
  register(server, 'bearer', routes, (scope) => {
    scope.addHook('onRequest', async (request) => {
      const user = await authenticate(request)
      request.caller = callerOf(request, user, await sources.find(appSource(request) || 'public'))
      refuseMalformedIds(request)
    })
    scope.addHook('preSerialization', tagVersion)
  })
}

/** How a mairie is found by its parameter of the path. */
const mairieBy = { acteurId: requireMairieActeur, communeId: requireMairieOfCommune }
export type MairieParameter = keyof typeof mairieBy

/** A member of the mairie that this parameter of the path names, in an application that names itself. */
export function mairie(
  server: HttpServer,
  { db, sources, authenticate }: AudienceDeps,
  parameter: MairieParameter,
  routes: SignedInRoutes,
): void {
  register(server, 'mairie', routes, (scope) => {
    scope.addHook('onRoute', ({ method, url }) => {
      if (url.split('/').includes(`:${parameter}`)) return
      throw new Error(`${String(method)} ${url} names no mairie: its path needs :${parameter}.`)
    })
    scope.addHook('onRequest', async (request) => {
      const code = requireAppSource(request)
      const user = await authenticate(request)
      request.caller = callerOf(request, user, await sources.find(code))
      refuseMalformedIds(request)
      const id = (request.params as Record<string, string>)[parameter] ?? ''
      await mairieBy[parameter](db, user, id)
    })
    scope.addHook('preSerialization', tagVersion)
  })
}

/** The back-office: application named, token, application `backoffice`, a role that opens the area, in this order. */
export function admin(
  server: HttpServer,
  { sources, authenticate }: AudienceDeps,
  area: string,
  routes: SignedInRoutes,
): void {
  register(server, 'admin', routes, (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, area }
    })
    scope.addHook('onRequest', async (request) => {
      const code = requireAppSource(request)
      const user = await authenticate(request)
      const source = await sources.find(code)
      request.caller = callerOf(request, user, source)
      if (source.code !== 'backoffice') throw scopeViolation()
      if (!opens(user.roles, area)) throw adminRequired()
      refuseMalformedIds(request)
    })
    scope.addHook('preSerialization', tagVersion)
  })
}

/** A provider that proves itself by a signature over the body, which its route checks. */
export function webhook(server: HttpServer, routes: Routes): void {
  register(server, 'webhook', routes, () => undefined)
}

/** The checks come first: those of a signed-in audience are what makes `SignedIn` true of its handlers' callers. */
function register(
  server: HttpServer,
  audience: Audience,
  routes: Routes | SignedInRoutes,
  checks: Routes,
): void {
  server.register(async (scope: HttpServer) => {
    scope.decorate('audience', audience)
    checks(scope)
    routes(scope as HttpServer & SignedInScope)
  })
}

/** Before the body is read: what is wrong with it is nothing to an id that cannot exist. */
function refuseMalformedIds(request: FastifyRequest): void {
  const readParams = request.getValidationFunction('params')
  if (readParams === undefined) return
  const { error } = readParams(request.params) as unknown as { error?: Error }
  if (error !== undefined) throw error
}

function callerOf(request: FastifyRequest, user: User | null, source: Caller['source']): Caller {
  return { user, source, requestId: request.id, ifMatch: request.headers['if-match'] ?? null, repeat: null }
}

function appSource({ headers }: FastifyRequest): string {
  const header = headers['x-app-source']
  return ((Array.isArray(header) ? header[0] : header) ?? '').trim()
}

function requireAppSource(request: FastifyRequest): string {
  const code = appSource(request)
  if (code === '') throw missingAppSource()
  return code
}
