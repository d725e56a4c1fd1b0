import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ author }: Stage): RouteCalls {
  return {
    'POST /me/digest': async () => ({ by: author, path: '/me/digest', body: { daily: true } }),
  }
}
