import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ admin }: Stage): RouteCalls {
  return {
    'GET /admin/dashboard': async () => ({ by: admin, path: '/admin/dashboard' }),
    'GET /admin/dashboard/series': async () => ({ by: admin, path: '/admin/dashboard/series?days=7' }),
    'GET /admin/counts': async () => ({ by: admin, path: '/admin/counts' }),
  }
}
