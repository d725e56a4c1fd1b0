import type { RouteOptions } from 'fastify'
import { acteursConstraints } from './modules/acteurs/constraints.ts'
import { acteursAdminRoutes } from './modules/acteurs/routes.admin.ts'
import { alertesConstraints } from './modules/alertes/constraints.ts'
import { alertesMairieRoutes } from './modules/alertes/routes.mairie.ts'
import { auditAdminRoutes } from './modules/audit/routes.admin.ts'
import { claimsConstraints } from './modules/claims/constraints.ts'
import { claimsAdminRoutes } from './modules/claims/routes.admin.ts'
import { claimsPublicRoutes } from './modules/claims/routes.public.ts'
import { communesConstraints } from './modules/communes/constraints.ts'
import { communesAdminRoutes } from './modules/communes/routes.admin.ts'
import { communesPublicRoutes } from './modules/communes/routes.public.ts'
import { dashboardAdminRoutes } from './modules/dashboard/routes.admin.ts'
import { publicationsConstraints } from './modules/publications/constraints.ts'
import { publicationsAdminRoutes } from './modules/publications/routes.admin.ts'
import { publicationsBearerRoutes } from './modules/publications/routes.bearer.ts'
import { publicationsMairieRoutes } from './modules/publications/routes.mairie.ts'
import { publicationsModerateRoutes } from './modules/publications/routes.moderate.ts'
import { publicationsPublicRoutes } from './modules/publications/routes.public.ts'
import { publicationsReportRoutes } from './modules/publications/routes.reports.ts'
import { usersConstraints } from './modules/users/constraints.ts'
import { usersAdminRoutes } from './modules/users/routes.admin.ts'
import { authenticator } from './platform/access/authenticate.ts'
import { createTokenVerifier } from './platform/access/tokens.ts'
import { sharedSecret } from './platform/config.ts'
import type { Deps } from './platform/deps.ts'
import {
  type AudienceDeps,
  admin,
  bearer,
  mairie,
  publicReads,
  publicWrites,
  refuseRoutesWithoutAudience,
} from './platform/http/audiences.ts'
import { drainable } from './platform/http/drain.ts'
import type { ConstraintErrors } from './platform/http/error-handler.ts'
import { healthRoutes } from './platform/http/health.ts'
import type { HttpServer } from './platform/http/http-server.ts'
import type { Metrics } from './platform/http/metrics.ts'
import { documentApi } from './platform/http/openapi.ts'
import { warnOfUntrustedForwarding } from './platform/http/rate-limit-forwarding.ts'
import { rateLimits } from './platform/http/rate-limits.ts'
import { refuseWrites } from './platform/http/refuse-writes.ts'
import { createServer } from './platform/http/server.ts'
import type { WriteGate } from './platform/write-gate.ts'

export type AppOptions = Deps & {
  metrics?: Metrics
  writeGate?: WriteGate
  maxEventLoopDelayMs?: number
  /** For tests: sees each route of the API as it is registered. */
  watchRoutes?: (route: RouteOptions) => void
  /** For tests: routes that only they register. */
  extraRoutes?: (api: HttpServer, audience: AudienceDeps) => void
}

const constraintErrors: ConstraintErrors = {
  ...communesConstraints,
  ...usersConstraints,
  ...acteursConstraints,
  ...claimsConstraints,
  ...publicationsConstraints,
  ...alertesConstraints,
}

/** The table of contents: every audience, then every module. */
export async function buildApp(deps: AppOptions) {
  const { config, db, clock } = deps
  const audience = { db, authenticate: authenticator(db, createTokenVerifier(config, clock)) }
  const server = await createServer({ ...deps, constraintErrors })
  const drain = drainable(server)
  if (deps.writeGate) refuseWrites(server, deps.writeGate)
  deps.metrics?.watchRequests(server)
  refuseRoutesWithoutAudience(server)
  warnOfUntrustedForwarding(server)
  const limits = rateLimits(server, {
    db,
    limits: config.rateLimits,
    secret: sharedSecret(config),
  })
  // After the checks of every audience, before the body is read.
  server.addHook('preParsing', async (request) => limits.consume(request, request.caller?.user?.id ?? null))
  await documentApi(server)
  healthRoutes(server, { ...deps, drain })

  await server.register(
    async (api: HttpServer) => {
      if (deps.watchRoutes) api.addHook('onRoute', deps.watchRoutes)
      publicReads(api, audience, (scope) => {
        communesPublicRoutes(scope, deps)
        publicationsPublicRoutes(scope, deps)
      })
      publicWrites(api, audience, (scope) => {
        publicationsReportRoutes(scope, deps)
        claimsPublicRoutes(scope, deps)
      })
      bearer(api, audience, (scope) => {
        publicationsBearerRoutes(scope, deps)
        publicationsModerateRoutes(scope, deps)
      })
      mairie(api, audience, (scope) => {
        publicationsMairieRoutes(scope, deps)
        alertesMairieRoutes(scope, deps)
      })
      admin(api, audience, (scope) => {
        dashboardAdminRoutes(scope, deps)
        usersAdminRoutes(scope, deps)
        acteursAdminRoutes(scope, deps)
        claimsAdminRoutes(scope, deps)
        publicationsAdminRoutes(scope, deps)
        communesAdminRoutes(scope, deps)
        auditAdminRoutes(scope, deps)
      })
      deps.extraRoutes?.(api, audience)
    },
    { prefix: '/api/v1' },
  )

  await server.ready()
  return { server, drain }
}
