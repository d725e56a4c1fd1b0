import type { RouteOptions } from 'fastify'
import { acteurs } from './modules/acteurs/module.ts'
import { alertes } from './modules/alertes/module.ts'
import { audit } from './modules/audit/module.ts'
import { claims } from './modules/claims/module.ts'
import { communes } from './modules/communes/module.ts'
import { dashboard } from './modules/dashboard/module.ts'
import { defibrillateurs } from './modules/defibrillateurs/module.ts'
import { imports } from './modules/imports/module.ts'
import { mails } from './modules/mails/module.ts'
import { me } from './modules/me/module.ts'
import { messages } from './modules/messages/module.ts'
import { payments } from './modules/payments/module.ts'
import { privacy } from './modules/privacy/module.ts'
import { publications } from './modules/publications/module.ts'
import { retention } from './modules/retention/module.ts'
import { users } from './modules/users/module.ts'
import { appSources } from './platform/access/app-sources.ts'
import { authenticator } from './platform/access/authenticate.ts'
import { isAdmin } from './platform/access/caller.ts'
import { identityDigest } from './platform/access/erased-identities.ts'
import { createTokenVerifier } from './platform/access/tokens.ts'
import { keepAnswers, type NextChange } from './platform/cache/answers.ts'
import type { Changes } from './platform/cache/changes.ts'
import { sharedSecret } from './platform/config.ts'
import type { Database } from './platform/database/connect.ts'
import { platformErrors } from './platform/errors.ts'
import { type AudienceDeps, refuseRoutesWithoutAudience } from './platform/http/audiences.ts'
import type { HttpServer } from './platform/http/http-server.ts'
import { answerKept, keepWhatIsAnswered } from './platform/http/kept-answers.ts'
import { registerModules } from './platform/http/modules.ts'
import { documentApi } from './platform/http/openapi/document.ts'
import { drainable } from './platform/http/operation/drain.ts'
import { healthRoutes } from './platform/http/operation/health.ts'
import type { Metrics } from './platform/http/operation/metrics.ts'
import { type AdmissionLimits, admission } from './platform/http/overload/admission.ts'
import { refuseWrites } from './platform/http/overload/refuse-writes.ts'
import { boundUnreadAnswers, type UnreadLimits } from './platform/http/overload/unread-answers.ts'
import type { WriteGate } from './platform/http/overload/write-gate.ts'
import { warnOfUntrustedForwarding } from './platform/http/rate-limits/forwarding.ts'
import { rateLimits } from './platform/http/rate-limits/rate-limits.ts'
import { readRepeatKeys } from './platform/http/repeat-keys.ts'
import { createServer } from './platform/http/server.ts'
import type { Deps, Module } from './platform/module.ts'

/** The table of contents, in reading order. */
export const modules: readonly Module[] = [
  communes,
  publications,
  alertes,
  defibrillateurs,
  claims,
  acteurs,
  imports,
  me,
  users,
  payments,
  messages,
  mails,
  dashboard,
  audit,
  privacy,
  retention,
]

export type AppOptions = Deps & {
  /** Rate limits and `/readyz` have connections that nothing else takes. */
  counters: Database
  health: Database
  /** How long a rate limit may wait for the database. */
  counterPatienceMs?: number
  /** Where changes are heard, answers to public reads are kept until one comes. */
  changes?: Changes
  metrics?: Metrics
  writeGate?: WriteGate
  maxEventLoopDelayMs?: number
  admissionLimits?: AdmissionLimits
  unreadLimits?: Partial<UnreadLimits>
  /** For tests: sees each route of the API as it is registered. */
  watchRoutes?: (route: RouteOptions) => void
  /** For tests: routes that only they register. */
  extraRoutes?: (api: HttpServer, audience: AudienceDeps) => void
}

/** Tables whose rows show something else when their time comes. */
const nextChangesOf = ({ db, modules }: AppOptions) =>
  Object.fromEntries(
    modules.flatMap(({ changesByTime = {} }) =>
      Object.entries(changesByTime).map(([table, next]): [string, NextChange] => [
        table,
        (lookbackMs) => next(db, lookbackMs),
      ]),
    ),
  )

/** What every request goes through, then every module. */
export async function buildApp(deps: AppOptions) {
  const { config, db, clock, modules } = deps
  const { changes = null } = deps
  const sources = appSources(db, changes)
  const digestOf = identityDigest(sharedSecret(config))
  const authenticate = authenticator(db, createTokenVerifier(config, clock), digestOf)
  const audience = { db, sources, authenticate }
  const constraintErrors = Object.assign({}, ...modules.map(({ constraints }) => constraints))
  const server = await createServer({ ...deps, constraintErrors })
  const drain = drainable(server)
  if (deps.writeGate) refuseWrites(server, deps.writeGate)
  const unread = boundUnreadAnswers(server, deps.unreadLimits)
  const observe = deps.metrics?.watchRequests(server)
  refuseRoutesWithoutAudience(
    server,
    Object.assign({}, platformErrors, ...modules.map(({ errors }) => errors)),
  )
  warnOfUntrustedForwarding(server)
  const limits = rateLimits(server, {
    db: deps.counters,
    patienceMs: deps.counterPatienceMs,
    limits: config.rateLimits,
    secret: sharedSecret(config),
  })
  // After the checks of every audience, before the body is read.
  server.addHook('preParsing', async (request) => {
    const user = request.caller?.user ?? null
    if (request.routeOptions.config.sparesAdmins && isAdmin(user)) return
    await limits.consume(request, user?.id ?? null)
  })
  const gates = admission(server, deps.admissionLimits)
  readRepeatKeys(server, sharedSecret(config))
  const kept = changes && keepAnswers(changes, nextChangesOf(deps))
  if (changes && kept) {
    const keeping = { answers: kept, changes, sources }
    keepWhatIsAnswered(server, keeping)
    answerKept(server, keeping, { log: deps.log, drain, unread, observe })
  }
  deps.metrics?.watchLoad({ gates, unread, kept })
  await documentApi(server, modules)
  healthRoutes(server, { ...deps, drain })

  await server.register(
    async (api: HttpServer) => {
      if (deps.watchRoutes) api.addHook('onRoute', deps.watchRoutes)
      registerModules(api, deps, audience)
      deps.extraRoutes?.(api, audience)
    },
    { prefix: '/api/v1' },
  )

  await server.ready()
  return { server, drain, gates, unread, kept }
}
