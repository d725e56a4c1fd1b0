import {
  type AudienceDeps,
  admin,
  bearer,
  mairie,
  navigation,
  publicReads,
  publicWrites,
  signIn,
  webhook,
} from './http/audiences.ts'
import type { HttpServer } from './http/http-server.ts'
import type { Module, RouteDeps } from './module.ts'

/** Registers each module's routes in the scope of their audience and tags them with its name. */
export function registerModules(api: HttpServer, deps: RouteDeps, audience: AudienceDeps): void {
  for (const { name, routes } of deps.modules) {
    if (routes === undefined) continue
    api.register(async (scope: HttpServer) => {
      scope.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, tags: [name] }
      })
      registerRoutes(scope, routes, deps, audience)
    })
  }
}

function registerRoutes(
  api: HttpServer,
  routes: NonNullable<Module['routes']>,
  deps: RouteDeps,
  audience: AudienceDeps,
): void {
  const {
    public: reads,
    publicWrites: writes,
    signIn: signingIn,
    bearer: signedIn,
    mairie: ofMairie = [],
    admin: ofArea,
    office,
  } = routes
  if (reads) publicReads(api, audience, (scope) => reads(scope, { ...deps, ...deps.publicly }))
  if (writes) publicWrites(api, audience, (scope) => writes(scope, deps))
  if (signingIn) signIn(api, audience, (scope) => signingIn(scope, deps))
  if (routes.navigation) navigation(api, (scope) => routes.navigation?.(scope, deps))
  if (signedIn) bearer(api, audience, (scope) => signedIn(scope, deps))
  for (const part of ofMairie) mairie(api, audience, part.of, (scope) => part.routes(scope, deps))
  if (ofArea) admin(api, audience, ofArea.area, (scope) => ofArea.routes(scope, deps))
  if (office) admin(api, audience, null, (scope) => office(scope, deps))
  if (routes.webhook) webhook(api, (scope) => routes.webhook?.(scope, deps))
}
