import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ admin }: Stage): RouteCalls {
  return { 'GET /admin/events': async () => ({ by: admin, path: '/admin/events' }) }
}
