import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Registry } from 'prom-client'
import { demoPictureRoutes } from './demo-pictures.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { mergedActeurs } from './modules/acteurs/merge/merged.ts'
import { replaceIds, resolveMergedActeurs, retryAfterMerge } from './modules/acteurs/merge/resolving.ts'
import { acteurs } from './modules/acteurs/module.ts'
import { acts } from './modules/acts/module.ts'
import { presenceProofRoute } from './modules/acts/presence/proof.ts'
import { proofRoutes } from './modules/acts/proof.ts'
import { alertes } from './modules/alertes/module.ts'
import { audit } from './modules/audit/module.ts'
import { claims } from './modules/claims/module.ts'
import { collectes } from './modules/collectes/module.ts'
import { communes } from './modules/communes/module.ts'
import { complaints } from './modules/complaints/module.ts'
import { dashboard } from './modules/dashboard/module.ts'
import { defibrillateurs } from './modules/defibrillateurs/module.ts'
import { deletions } from './modules/deletions/module.ts'
import { digest } from './modules/digest/module.ts'
import { domains } from './modules/domains/module.ts'
import { provenDomains } from './modules/domains/proven.ts'
import { domainAllowedRoute } from './modules/domains/routes.internal.ts'
import { espace } from './modules/espace/module.ts'
import { events } from './modules/events/module.ts'
import { exports } from './modules/exports/module.ts'
import { grounds } from './modules/grounds/module.ts'
import { groups } from './modules/groups/module.ts'
import { imports } from './modules/imports/module.ts'
import { keys } from './modules/keys/module.ts'
import { mails } from './modules/mails/module.ts'
import { me } from './modules/me/module.ts'
import { media } from './modules/media/module.ts'
import { messages } from './modules/messages/module.ts'
import { notes } from './modules/notes/module.ts'
import { pages as communePages } from './modules/pages/module.ts'
import { payments } from './modules/payments/module.ts'
import { presence } from './modules/presence/module.ts'
import { privacy } from './modules/privacy/module.ts'
import { publications } from './modules/publications/module.ts'
import { publicPictureRoutes } from './modules/publications/pictures.ts'
import { readingCounter } from './modules/readings/counter.ts'
import { readings } from './modules/readings/module.ts'
import { decisions } from './modules/recent-decisions/module.ts'
import { reference } from './modules/reference/module.ts'
import { retention } from './modules/retention/module.ts'
import { savedViews } from './modules/saved-views/module.ts'
import { search } from './modules/search/module.ts'
import { signIn } from './modules/sign-in/module.ts'
import { subscribers } from './modules/subscribers/module.ts'
import { system } from './modules/system/module.ts'
import { templates } from './modules/templates/module.ts'
import { transparency } from './modules/transparency/module.ts'
import { users } from './modules/users/module.ts'
import { webhooks } from './modules/webhooks/module.ts'
import { appSources } from './platform/access/app-sources.ts'
import { authenticator } from './platform/access/authenticate.ts'
import { isAdmin } from './platform/access/caller.ts'
import { cookiesOf } from './platform/access/cookies.ts'
import { identityDigests } from './platform/access/erased-identities.ts'
import { keyAuthenticator } from './platform/access/keys.ts'
import { sessionFinder } from './platform/access/sessions.ts'
import { createTokenVerifier } from './platform/access/tokens.ts'
import { userFinder } from './platform/access/users.ts'
import { sharedSecret } from './platform/config/config.ts'
import type { Changes } from './platform/database/changes.ts'
import type { Database } from './platform/database/connect.ts'
import type { WriteState } from './platform/database/watch/watch-disk.ts'
import { platformErrors } from './platform/errors.ts'
import { type AudienceDeps, pages, refuseRoutesWithoutAudience } from './platform/http/audiences.ts'
import { directReads } from './platform/http/cache/direct-reads.ts'
import { cacheResponses, tablesShown } from './platform/http/cache/lookup.ts'
import type { EdgePurges } from './platform/http/cache/purge.ts'
import { createResponseCache } from './platform/http/cache/store.ts'
import type { NextChange } from './platform/http/cache/timed-changes.ts'
import { requireConfirmation } from './platform/http/confirmation.ts'
import { createHosts, tagsOfDomains } from './platform/http/hosts.ts'
import { type HttpServer, readsBodyFirst } from './platform/http/http-server.ts'
import { readIdempotencyKeys } from './platform/http/idempotency-keys.ts'
import { csvLists } from './platform/http/listing/csv-lists.ts'
import { documentApi } from './platform/http/openapi/document.ts'
import { drainable } from './platform/http/operation/drain.ts'
import { healthRoutes } from './platform/http/operation/health.ts'
import { watchLoad, watchRequests } from './platform/http/operation/metrics.ts'
import { type AdmissionLimits, admission } from './platform/http/overload/admission.ts'
import { clientBudgets } from './platform/http/overload/budgets.ts'
import { boundConnections } from './platform/http/overload/connections.ts'
import { allowForPauses } from './platform/http/overload/paused-requests.ts'
import { type BodyLimits, boundReceivedBodies } from './platform/http/overload/received-bodies.ts'
import { refuseWrites } from './platform/http/overload/refuse-writes.ts'
import { takeTurns } from './platform/http/overload/turns.ts'
import { boundUnreadResponses, type UnreadLimits } from './platform/http/overload/unread-responses.ts'
import { warnOfUntrustedForwarding } from './platform/http/rate-limits/forwarding.ts'
import { rateLimits, sparesAdmins } from './platform/http/rate-limits/rate-limits.ts'
import { routeTable } from './platform/http/route-table.ts'
import { createServer } from './platform/http/server.ts'
import type { Deps, Module } from './platform/module.ts'
import { registerModules } from './platform/register-modules.ts'
import { site } from './site/module.ts'
import { createSite, siteRoutes } from './site/routes.ts'
import { webAppRoutes } from './web-app/routes.ts'
import type { WebApp } from './web-app/web-app.ts'

/** All modules, in reading order. */
export const modules: readonly Module[] = [
  communes,
  communePages,
  groups,
  collectes,
  domains,
  media,
  // Before publications: an erasure finds the complaints of reporters by the addresses that it then removes.
  complaints,
  publications,
  alertes,
  acts,
  deletions,
  defibrillateurs,
  // Before claims and messages: an erasure finds notes by the addresses that it then removes from these two.
  notes,
  grounds,
  templates,
  transparency,
  savedViews,
  presence,
  claims,
  decisions,
  acteurs,
  imports,
  me,
  espace,
  signIn,
  keys,
  webhooks,
  users,
  reference,
  payments,
  subscribers,
  readings,
  messages,
  mails,
  dashboard,
  digest,
  events,
  search,
  exports,
  audit,
  privacy,
  retention,
  system,
  site,
]

export type AppOptions = Deps & {
  /** Dedicated connections for rate limits and `/readyz`. */
  counters: Database
  health: Database
  /** Timeout for counting rate limits in the database. */
  counterTimeoutMs?: number
  /** Change notifications. With them, responses to public reads are cached until a change. */
  changes?: Changes
  /** Purges an edge cache. */
  purges?: EdgePurges
  registry?: Registry
  writeState?: WriteState
  /** The back-office application; without it `/backoffice/` is not served. */
  webApp?: Pick<WebApp, 'site' | 'state'>
  maxEventLoopDelayMs?: number
  admissionLimits?: AdmissionLimits
  unreadLimits?: Partial<UnreadLimits>
  maxConnections?: number
  cacheLimits?: { maxBytes?: number }
  bodyLimits?: Partial<BodyLimits>
  /** Processing time that an address and a signed-in person have before their requests wait behind others. */
  budgetMs?: number
  /** How many CSV files may be written at once. */
  csvLimit?: number
  /** For tests: sees each API route as it is registered. */
  watchRoutes?: (route: RouteOptions) => void
  /** For tests: additional routes. */
  extraRoutes?: (api: HttpServer, audience: AudienceDeps) => void
}

/** Collects the tables whose public content changes with time, without a write. */
const nextChangesOf = ({ reads, modules, clock }: AppOptions) =>
  Object.fromEntries(
    modules.flatMap(({ changesByTime = {} }) =>
      Object.entries(changesByTime).map(([table, next]): [string, NextChange] => [
        table,
        { ...next, find: (lookbackMs) => next.find(reads, lookbackMs, clock()) },
      ]),
    ),
  )

/** Creates what says who calls: the application, the token or cookie, the session and its user. */
function findCallers(deps: AppOptions) {
  const { config, clock, reads, changes = null } = deps
  const { publicUrl } = config
  const sources = appSources(reads, changes)
  const digests = identityDigests(config)
  const sessions = sessionFinder(deps, changes, config.secondFactor)
  const cookies = cookiesOf(publicUrl)
  const verify = createTokenVerifier(config, clock)
  const findUser = userFinder(deps, changes, digests)
  const authenticateKey = keyAuthenticator(deps, changes)
  const authenticate = authenticator({ verify, findUser, authenticateKey, sessions, cookies, publicUrl })
  return { sources, digests, sessions, cookies, authenticate }
}

/** Builds the app: first the hooks that apply to every request, then the modules. */
export async function buildApp(deps: AppOptions) {
  const { config, reads, modules, publicly } = deps
  const { changes = null } = deps
  const callers = findCallers(deps)
  const { sources, authenticate } = callers
  const hosts = createHosts(config, provenDomains(reads, changes, config))
  const constraintErrors = Object.assign({}, ...modules.map(({ constraints }) => constraints))
  const servesRequests = config.jobs !== 'only'
  const publicSite = servesRequests && config.hasSite ? createSite({ ...deps, hosts }) : null
  const server = await createServer({ ...deps, hosts, constraintErrors, errorPage: publicSite?.errorPage })
  const drain = drainable(server)
  const findMerged = mergedActeurs(reads, changes)
  const csv = csvLists(server, { ...deps, replaceIds: (request) => replaceIds(request, findMerged) })
  const audience = { reads, sources, authenticate, csv }
  if (deps.writeState) refuseWrites(server, deps.writeState, deps.registry)
  const { trustProxy, corsOrigins } = config
  boundConnections(server, {
    total: deps.maxConnections,
    perAddress: config.maxConnectionsPerAddress,
    trustProxy,
  })
  const unread = boundUnreadResponses(server, deps.unreadLimits)
  const observe = deps.registry && watchRequests(deps.registry, server)
  refuseRoutesWithoutAudience(
    server,
    Object.assign({}, platformErrors, ...modules.map(({ errors }) => errors)),
    modules.flatMap(({ permissions = [] }) => permissions),
  )
  warnOfUntrustedForwarding(server)
  const rates = rateLimits(server, {
    db: deps.counters,
    timeoutMs: deps.counterTimeoutMs,
    limits: config.rateLimits,
    secret: sharedSecret(config),
  })
  const countTowardsLimit = async (request: FastifyRequest) => {
    const user = request.caller?.user ?? null
    if (sparesAdmins(request.routeOptions.config) && isAdmin(user)) return
    await rates.consume(request, user?.id ?? null)
  }
  // After the checks of the audience, and before the body is read unless the route reads it first.
  server.addHook('preParsing', async (request) => {
    if (!readsBodyFirst(request.routeOptions.config)) await countTowardsLimit(request)
  })
  server.addHook('onRoute', ({ config }) => deps.purges?.show(tablesShown(config) ?? []))
  deps.purges?.show(tagsOfDomains)
  const routes = routeTable(server)
  const budgets = clientBudgets(server, { budgetMs: deps.budgetMs, trustProxy })
  const admitting = {
    limits: deps.admissionLimits,
    routes,
    log: deps.log,
    trustProxy,
    corsOrigins,
    drain,
    budgets,
    observe,
  }
  const direct = directReads(server)
  const { limits, slots } = admission(server, admitting)
  // After admission: what is refused for overload does not count.
  server.addHook('preValidation', async (request) => {
    if (readsBodyFirst(request.routeOptions.config)) await countTowardsLimit(request)
  })
  // The last hook before a body is read.
  const bodies = boundReceivedBodies(server, deps.bodyLimits)
  readIdempotencyKeys(server, sharedSecret(config))
  requireConfirmation(server, deps.clock)
  resolveMergedActeurs(server, findMerged)
  retryAfterMerge(server, deps.db)
  const counter = readingCounter(deps)
  const cache = changes && createResponseCache(changes, nextChangesOf(deps), deps.cacheLimits)
  if (changes && cache) {
    const reading = { direct: publicly === undefined ? direct : null, slots, countPage: counter.count }
    const caching = { cache, changes, sources, hosts, routes, ...reading, hasEdge: config.cdn.isOn }
    cacheResponses(server, caching, { log: deps.log, trustProxy, corsOrigins, drain, unread, observe })
  }
  // The last handler before Fastify that is added is the first that runs.
  const turns = takeTurns(server, budgets)
  allowForPauses(server)
  if (deps.registry) watchLoad(deps.registry, { limits, bodies, unread, cache, budgets, turns })
  if (servesRequests) await documentApi(server, modules, config)
  healthRoutes(server, {
    ...deps,
    drain,
    jobs: config.jobs,
    hasSite: publicSite !== null,
    application: deps.webApp ? 'backoffice/' : null,
  })
  if (deps.webApp) webAppRoutes(server, deps.webApp, config)
  if (publicSite) siteRoutes(server, publicSite, audience, { limits: rates, countPage: counter.count })
  domainAllowedRoute(server, hosts)
  demoPictureRoutes(server)
  if (servesRequests && config.mcp) mcpRoutes(server, deps)
  if (servesRequests) publicFileRoutes(server, deps, audience)
  if (servesRequests) {
    await server.register(
      async (api: HttpServer) => {
        if (deps.watchRoutes) api.addHook('onRoute', deps.watchRoutes)
        registerModules(api, { ...deps, ...callers, limits: rates, drain, csv }, audience)
        deps.extraRoutes?.(api, audience)
      },
      { prefix: '/api/v1' },
    )
  }

  await server.ready()
  return { server, drain, limits, bodies, unread, cache, budgets, turns, readings: counter }
}

/** Serves pictures and proofs, which other sites show too. */
function publicFileRoutes(server: HttpServer, deps: AppOptions, audience: AudienceDeps): void {
  pages(server, audience, 'public', (scope) => {
    const { reads, clock, config } = { ...deps, ...deps.publicly }
    publicPictureRoutes(scope, { reads, config })
    proofRoutes(scope, { reads, clock })
    presenceProofRoute(scope, { reads, clock })
  })
}
