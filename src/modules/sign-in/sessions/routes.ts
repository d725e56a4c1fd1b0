import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { list, record } from '../../../platform/http/validation/schemas.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { ById, Device, EndedDevice, EndedDevices } from '../schema.ts'
import { endOneOf, endOthersOf, listDevices } from './rules.ts'

export function deviceRoutes(scope: SignedInScope, { db, reads }: Pick<RouteDeps, 'db' | 'reads'>): void {
  scope.get(
    '/me/sessions',
    {
      schema: {
        operationId: 'listMyDevices',
        summary: "List the caller's sessions, last used first; at most 100",
        response: { 200: list(Device) },
      },
    },
    async ({ caller, session }) => ({ data: await listDevices(reads, caller, caller.user.id, session) }),
  )

  scope.delete(
    '/me/sessions',
    {
      config: { needs: 'own.change', confirms: true, confirmsTokens: true, audits: 'session.end' },
      schema: {
        operationId: 'signOutMyOtherDevices',
        summary: 'Sign the caller out everywhere else',
        response: { 200: record(EndedDevices) },
      },
    },
    async ({ caller, session }) => ({ data: { ended: await endOthersOf(db, caller, session?.id ?? null) } }),
  )

  scope.delete(
    '/me/sessions/:id',
    {
      config: { needs: 'own.change', confirms: true, confirmsTokens: true, audits: 'session.end' },
      schema: {
        operationId: 'signOutMyDevice',
        summary: "Sign out one of the caller's devices",
        params: ById,
        response: { 200: record(EndedDevice) },
      },
    },
    async ({ caller, params }) => ({
      data: await endOneOf(db, caller, caller.user.id, params.id, 'signed_out'),
    }),
  )
}
