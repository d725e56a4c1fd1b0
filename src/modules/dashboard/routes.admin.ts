import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { Deps, Figures } from '../../platform/module.ts'
import { dashboardReader } from './rules.ts'
import { dashboardOf } from './schema.ts'

export function dashboardAdminRoutes(scope: SignedInScope, deps: Deps): void {
  const figures: Figures = Object.assign({}, ...deps.modules.map((module) => module.figures))
  const readDashboard = dashboardReader(deps, figures)

  scope.get(
    '/admin/dashboard',
    {
      schema: {
        operationId: 'getDashboard',
        summary: 'Figures of the whole; one that cannot be had in time is left out',
        response: { 200: dashboardOf(figures) },
      },
    },
    readDashboard,
  )
}
