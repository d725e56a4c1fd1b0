import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ admin }: Stage): RouteCalls {
  return {
    'GET /admin/audit': async () => ({ by: admin, path: '/admin/audit' }),
    'GET /admin/audit?q': async () => ({ by: admin, path: '/admin/audit?q=publication' }),
    'GET /admin/audit/seals': async () => ({ by: admin, path: '/admin/audit/seals' }),
  }
}
