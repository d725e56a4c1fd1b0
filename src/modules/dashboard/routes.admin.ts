import type { Deps } from '../../platform/deps.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { dashboardReader } from './rules.ts'
import { Dashboard } from './schema.ts'

export function dashboardAdminRoutes(scope: HttpServer, deps: Pick<Deps, 'db' | 'log'>): void {
  const readDashboard = dashboardReader(deps)

  scope.get(
    '/admin/dashboard',
    {
      config: { area: 'dashboard' },
      schema: {
        operationId: 'getDashboard',
        summary: 'Figures of the whole; one that cannot be had in time is left out',
        tags: ['dashboard'],
        response: { 200: Dashboard },
      },
    },
    () => readDashboard(),
  )
}
