import type { RouteCalls, Stage } from '../../../test/harness/route-calls.ts'

export function routeCalls({ mayor }: Stage): RouteCalls {
  return { 'GET /me': async () => ({ by: mayor, path: '/me' }) }
}
