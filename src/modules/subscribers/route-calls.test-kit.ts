import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ mairie, mayor }: Stage): RouteCalls {
  return {
    'GET /mairie/communes/{communeId}/reach': async () => ({
      by: mayor,
      path: `/mairie/communes/${mairie.commune.id}/reach`,
    }),
  }
}
