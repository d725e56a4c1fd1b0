import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { RouteDeps } from '../../platform/module.ts'
import { erasingRoutes } from './erasing.ts'
import { exportRoutes } from './exports/routes.ts'
import { findingRoutes } from './finding.ts'

/** Everything about one person, for administrators. */
export function peopleRoutes(scope: SignedInScope, deps: RouteDeps): void {
  findingRoutes(scope, deps)
  exportRoutes(scope, deps)
  erasingRoutes(scope, deps)
}
