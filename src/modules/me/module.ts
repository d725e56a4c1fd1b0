import type { SignedInScope } from '../../platform/http/http-server.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps, Module } from '../../platform/module.ts'
import { readMe } from './rules.ts'
import { Me } from './schema.ts'

export const me = {
  name: 'me',
  about: 'Who is signed in, and what they may do',
  routes: { bearer: meRoutes },
} satisfies Module

function meRoutes(scope: SignedInScope, deps: Deps): void {
  scope.get(
    '/me',
    {
      schema: {
        operationId: 'getMe',
        summary: 'Read the signed-in user: roles, the areas they open, and acteurs to act for',
        response: { 200: record(Me) },
      },
    },
    async ({ caller }) => ({ data: await readMe(deps, caller.user.id) }),
  )
}
