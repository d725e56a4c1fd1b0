import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ mayor }: Stage): RouteCalls {
  return { 'GET /me': async () => ({ by: mayor, path: '/me' }) }
}
