import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ admin }: Stage): RouteCalls {
  return {
    'GET /admin/system': async () => ({ by: admin, path: '/admin/system' }),
    'POST /admin/system/test-mail': async () => ({ by: admin, path: '/admin/system/test-mail' }),
  }
}
