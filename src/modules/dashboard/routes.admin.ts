import type { SignedInScope } from '../../platform/http/http-server.ts'
import { record } from '../../platform/http/schemas.ts'
import type { Deps, Figures } from '../../platform/module.ts'
import { countWaiting, waitingIn } from './counts.ts'
import { dashboardReader } from './rules.ts'
import { countsOf, dashboardOf } from './schema.ts'

export function dashboardAdminRoutes(scope: SignedInScope, deps: Deps): void {
  const figures: Figures = Object.assign({}, ...deps.modules.map((module) => module.figures))
  const readDashboard = dashboardReader(deps, figures)

  scope.get(
    '/admin/dashboard',
    {
      schema: {
        operationId: 'getDashboard',
        summary: 'Totals; one that cannot be read in time is left out',
        response: { 200: dashboardOf(figures) },
      },
    },
    readDashboard,
  )
}

export function countsRoutes(scope: SignedInScope, deps: Deps): void {
  const waiting = waitingIn(deps.modules)

  scope.get(
    '/admin/counts',
    {
      schema: {
        operationId: 'getCounts',
        summary: 'Count what waits in the areas that one’s roles open, with the age of the oldest',
        response: { 200: record(countsOf(waiting)) },
      },
    },
    async ({ caller }) => ({ data: await countWaiting(deps, waiting, caller) }),
  )
}
