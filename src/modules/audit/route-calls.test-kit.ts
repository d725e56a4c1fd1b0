import type { RouteCalls, Stage } from '../../../test/harness/route-calls.ts'

export function routeCalls({ admin }: Stage): RouteCalls {
  return { 'GET /admin/audit': async () => ({ by: admin, path: '/admin/audit' }) }
}
