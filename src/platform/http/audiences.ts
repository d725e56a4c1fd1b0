import type { FastifyRequest, RouteOptions } from 'fastify'
import Type from 'typebox'
import { type AppSources, within } from '../access/app-sources.ts'
import { opens } from '../access/areas.ts'
import type { Authenticate } from '../access/authenticate.ts'
import type { Caller, User } from '../access/caller.ts'
import { platformRules, type Rule } from '../access/rules.ts'
import type { Database } from '../database/connect.ts'
import {
  ApiError,
  adminRequired,
  type Errors,
  forbidden,
  missingAppSource,
  notFound,
  scopeViolation,
} from '../errors.ts'
import { isRead } from '../formats/http-methods.ts'
import { respondConditionally, tagVersion } from './conditional.ts'
import type { Audience, HttpServer, SignedInScope } from './http-server.ts'
import type { CsvLists } from './listing/csv-lists.ts'
import { addLocation } from './location.ts'
import { errorResponses } from './openapi/error-responses.ts'
import { noBody } from './validation/schemas.ts'

export type AudienceDeps = {
  reads: Database
  sources: AppSources
  authenticate: Authenticate
  csv: CsvLists
}
type Routes = (scope: HttpServer) => void
type SignedInRoutes = (scope: SignedInScope) => void

/**
 * Assigns each route the audience of the scope that registers it, and its rules. Each scope defines its
 * checks once, below. Startup fails for a route outside all scopes, and for a write that names no rule where
 * its audience needs one.
 */
export function refuseRoutesWithoutAudience(
  server: HttpServer,
  errors: Errors,
  rules: readonly Rule[],
): void {
  const addErrorResponses = errorResponses(errors)
  const namedRules = rulesByName(rules)
  server.decorateRequest('caller')
  server.decorateRequest('session', null)
  server.decorateRequest('authenticatedAt', null)
  server.addHook('onRoute', function (route) {
    const audience = (this as HttpServer).audience
    const name = `${String(route.method)} ${route.url}`
    if (audience === undefined) throw new Error(`${name} declares no right: register it in an audience.`)
    if (audience === 'open') return
    if (audience === 'page') {
      route.config = { ...route.config, scope: { ...route.config?.scope, audience } }
      return requireCaching(route)
    }
    if (route.schema?.operationId === undefined || route.schema.summary === undefined) {
      throw new Error(`${name} needs an operationId and a summary.`)
    }
    route.config = { ...route.config, scope: { ...route.config?.scope, audience, rules: namedRules(route) } }
    if (audience === 'bearer' || audience === 'mairie') requireRule(route)
    if (takesNoBody(route) && audience !== 'webhook') route.schema = { ...route.schema, body: noBody }
    const ignoresStrangeQuery = audience === 'webhook' || audience === 'navigation'
    if (!ignoresStrangeQuery && !(audience === 'public' && readsOnly(route))) refuseStrangeQuery(route)
    addErrorResponses(route, audience)
  })
}

/** Finds the rules that a route names. */
function rulesByName(rules: readonly Rule[]) {
  const byName = new Map(
    [...Object.values(platformRules), ...rules].map((rule): [string, Rule] => [rule.name, rule]),
  )
  return ({ method, url, config }: RouteOptions): Rule[] =>
    [config?.needs ?? []].flat().map((name) => {
      const rule = byName.get(name)
      if (rule === undefined)
        throw new Error(`${String(method)} ${url} needs ${name}, which no module defines.`)
      return rule
    })
}

function requireRule(route: RouteOptions): void {
  if (readsOnly(route) || route.config?.needs !== undefined) return
  throw new Error(`${String(route.method)} ${route.url} names no rule: give its config \`needs\`.`)
}

/** Input is never dropped silently: a non-empty body is refused where none is expected. */
const takesNoBody = (route: RouteOptions) => route.schema?.body === undefined && !readsOnly(route)

const readsOnly = ({ method }: RouteOptions) => isRead(String(method))

/**
 * Refuses unknown query parameters, because a misspelt filter would show everything. Public reads ignore them: links
 * pick up tracking parameters.
 */
function refuseStrangeQuery(route: RouteOptions): void {
  const querystring = (route.schema?.querystring ?? Type.Object({})) as object
  route.schema = { ...route.schema, querystring: { ...querystring, additionalProperties: false } }
}

/** Registers health checks and documentation, which are outside the API and need no checks. */
export function open(server: HttpServer, routes: (scope: HttpServer) => void | Promise<void>): void {
  server.register(async (scope: HttpServer) => {
    scope.decorate('audience', 'open')
    await routes(scope)
  })
}

/** Registers public reads. The client must name its application; `Authorization` is ignored. */
export function publicReads(server: HttpServer, { sources }: AudienceDeps, routes: Routes): void {
  register(server, 'public', routes, (scope) => {
    scope.addHook('onRoute', requireCaching)
    scope.addHook('onRequest', async (request) => {
      const code = requireAppSource(request)
      request.caller = callerOf(request, null, await sources.find(code))
    })
    scope.addHook('preValidation', logIgnoredParameters)
    scope.addHook('onSend', respondConditionally)
  })
}

/**
 * Registers pages that a browser opens by itself. They read as this application; where it is switched off, none of them
 * exists. On a domain they show its communes alone.
 */
export function pages(
  server: HttpServer,
  { sources }: AudienceDeps,
  appSource: string,
  routes: Routes,
): void {
  register(server, 'page', routes, (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, scope: { ...route.config?.scope, audience: 'page', appSource } }
    })
    scope.addHook('onRequest', async (request) => {
      const source = await sources.find(appSource).catch((error) => {
        throw error instanceof ApiError && error.code === scopeViolation().code ? notFound() : error
      })
      const { domain } = request
      const shown = domain === null ? source : within(source, domain.communeIds)
      request.caller = callerOf(request, null, shown)
    })
    scope.addHook('onSend', respondConditionally)
  })
}

function requireCaching(route: RouteOptions): void {
  if (!readsOnly(route) || route.config?.caching !== undefined) return
  throw new Error(
    `${String(route.method)} ${route.url} does not say how it is cached: give its config \`caching\`.`,
  )
}

/** Logs the query parameters that a public read ignores, for API developers (LOG_LEVEL=debug). */
async function logIgnoredParameters(request: FastifyRequest): Promise<void> {
  const { log } = request
  if (log.level !== 'debug' && log.level !== 'trace') return
  const { querystring } = (request.routeOptions.schema ?? {}) as { querystring?: { properties?: object } }
  const known = new Set(Object.keys(querystring?.properties ?? {}))
  const ignored = Object.keys(request.query as object).filter((name) => !known.has(name))
  if (ignored.length > 0) log.debug({ ignored }, 'unknown query parameters ignored')
}

/** Registers public writes. Signing in is optional: a bad token is refused, a stale cookie ignored. */
export function publicWrites(
  server: HttpServer,
  { sources, authenticate }: AudienceDeps,
  routes: Routes,
): void {
  register(server, 'public', routes, (scope) => {
    scope.addHook('onRequest', async (request) => {
      const code = requireAppSource(request)
      const user = await authenticate.optional(request)
      request.caller = callerOf(request, user, await sources.find(code))
    })
  })
}

/**
 * Registers sign-in routes. The client must name its application and need not be signed in; handlers read the
 * cookies themselves. Writes that the browser marks as cross-site are refused, so that no site can sign its
 * visitor in.
 */
export function signIn(server: HttpServer, { sources }: AudienceDeps, routes: Routes): void {
  register(server, 'sign-in', routes, (scope) => {
    scope.addHook('onRequest', async (request) => {
      const code = requireAppSource(request)
      request.caller = callerOf(request, null, await sources.find(code))
      const site = request.headers['sec-fetch-site']
      if (!isRead(request.method) && site !== undefined && site !== 'same-origin') throw forbidden()
    })
  })
}

/**
 * Registers addresses that a browser opens by itself, such as the return address of an identity provider.
 * Such a request cannot name an application or set a header, and providers add parameters. Handlers read the
 * cookies.
 */
export function navigation(server: HttpServer, routes: Routes): void {
  register(server, 'navigation', routes, (scope) => {
    scope.addHook('onRequest', async (request) => {
      request.caller = callerOf(request, null, null)
    })
  })
}

/** Requires a signed-in user. Without `X-App-Source` the application is `public`. */
export function bearer(
  server: HttpServer,
  { sources, authenticate }: AudienceDeps,
  routes: SignedInRoutes,
): void {
  register(server, 'bearer', routes, (scope) => {
    scope.addHook('onRequest', async (request) => {
      const user = await authenticate.required(request)
      request.caller = callerOf(request, user, await sources.find(appSource(request) || 'public'))
      refuseMalformedIds(request)
    })
    scope.addHook('preSerialization', tagVersion)
  })
}

/** Which path parameter names the mairie, and who is one: `require` returns the id that answers, null for the same. */
export type MemberPath = {
  parameter: string
  require: (db: Database, user: User, id: string, rule: Rule) => Promise<string | null>
}

/** Requires a member of the mairie in the path, and `X-App-Source`. */
export function mairie(
  server: HttpServer,
  { reads, sources, authenticate }: AudienceDeps,
  { parameter, require }: MemberPath,
  routes: SignedInRoutes,
): void {
  register(server, 'mairie', routes, (scope) => {
    scope.addHook('onRoute', ({ method, url }) => {
      if (url.split('/').includes(`:${parameter}`)) return
      throw new Error(`${String(method)} ${url} names no mairie: its path needs :${parameter}.`)
    })
    scope.addHook('onRequest', async (request) => {
      const code = requireAppSource(request)
      const user = await authenticate.required(request)
      request.caller = callerOf(request, user, await sources.find(code))
      refuseMalformedIds(request)
      const params = request.params as Record<string, string>
      const rule =
        request.routeOptions.config.scope?.rules?.find(({ over }) => over === 'mairie') ??
        platformRules.enterMairie
      const answering = await require(reads, user, params[parameter] ?? '', rule)
      if (answering !== null) params[parameter] = answering
    })
    scope.addHook('preSerialization', tagVersion)
  })
}

/**
 * Registers back-office routes. Checks, in order: `X-App-Source`, token, application `backoffice`, a role
 * with access to the area. Without an area any role is enough, and handlers check the area of the record.
 */
export function admin(
  server: HttpServer,
  { sources, authenticate, csv }: AudienceDeps,
  area: string | null,
  routes: SignedInRoutes,
): void {
  register(server, 'admin', routes, (scope) => {
    scope.addHook('onRoute', (route) => {
      if (area === null) requireRule(route)
      else route.config = { ...route.config, scope: { ...route.config?.scope, audience: 'admin', area } }
      csv.serve(route)
    })
    scope.addHook('onRequest', async (request) => {
      const code = requireAppSource(request)
      const user = await authenticate.required(request)
      const source = await sources.find(code)
      request.caller = callerOf(request, user, source)
      if (source.code !== 'backoffice') throw scopeViolation()
      if (area === null ? user.roles.length === 0 : !opens(user.roles, area)) throw adminRequired()
      refuseMalformedIds(request)
    })
    scope.addHook('preSerialization', tagVersion)
  })
}

/** Registers webhooks. The provider signs the body, and the route checks the signature. */
export function webhook(server: HttpServer, routes: Routes): void {
  register(server, 'webhook', routes, () => undefined)
}

/**
 * Registers routes after the checks of their audience. For signed-in audiences these checks make `SignedIn` true for
 * handlers.
 */
function register(
  server: HttpServer,
  audience: Audience,
  routes: Routes | SignedInRoutes,
  checks: Routes,
): void {
  server.register(async (scope: HttpServer) => {
    scope.decorate('audience', audience)
    checks(scope)
    scope.addHook('preSerialization', addLocation)
    routes(scope as HttpServer & SignedInScope)
  })
}

/** Runs before the body is read: a malformed id returns 404, even if the body is invalid too. */
function refuseMalformedIds(request: FastifyRequest): void {
  const readParams = request.getValidationFunction('params')
  if (readParams === undefined) return
  const { error } = readParams(request.params) as unknown as { error?: Error }
  if (error !== undefined) throw error
}

/** Refuses an access key that was made for another application. */
function callerOf(request: FastifyRequest, user: User | null, source: Caller['source']): Caller {
  const bound = user?.key?.appSource ?? null
  if (bound !== null && source?.code !== bound) throw scopeViolation()
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
