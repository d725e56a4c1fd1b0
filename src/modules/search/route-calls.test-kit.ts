import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ admin }: Stage): RouteCalls {
  return {
    'GET /admin/search': async () => ({ by: admin, path: '/admin/search?q=pomme' }),
    'GET /admin/search?by-id': async () => ({ by: admin, path: `/admin/search?q=${admin.id}` }),
  }
}
