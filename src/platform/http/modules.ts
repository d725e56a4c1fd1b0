import type { Deps, Module } from '../module.ts'
import { type AudienceDeps, admin, bearer, mairie, publicReads, publicWrites, webhook } from './audiences.ts'
import type { HttpServer } from './http-server.ts'

/** Each module's routes in the scope of their audience, under its name in the documentation. */
export function registerModules(api: HttpServer, deps: Deps, audience: AudienceDeps): void {
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
  deps: Deps,
  audience: AudienceDeps,
): void {
  const {
    public: reads,
    publicWrites: writes,
    bearer: signedIn,
    mairie: ofMairie = [],
    admin: office,
  } = routes
  if (reads) publicReads(api, audience, (scope) => reads(scope, deps))
  if (writes) publicWrites(api, audience, (scope) => writes(scope, deps))
  if (signedIn) bearer(api, audience, (scope) => signedIn(scope, deps))
  for (const part of ofMairie) mairie(api, audience, part.of, (scope) => part.routes(scope, deps))
  if (office) admin(api, audience, office.area, (scope) => office.routes(scope, deps))
  if (routes.webhook) webhook(api, (scope) => routes.webhook?.(scope, deps))
}
