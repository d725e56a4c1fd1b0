import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ admin }: Stage): RouteCalls {
  return {
    'GET /admin/dashboard': async () => ({ by: admin, path: '/admin/dashboard' }),
    'GET /admin/counts': async () => ({ by: admin, path: '/admin/counts' }),
  }
}
