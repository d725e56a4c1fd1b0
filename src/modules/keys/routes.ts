import Type from 'typebox'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { Id, list, record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { getUser } from '../users/queries.ts'
import {
  AccessKey,
  endKey,
  KeyById,
  KeyCreate,
  listKeys,
  makeKey,
  NewAccessKey,
  rotateKey,
  UsersKey,
} from './keys.ts'

export function keyRoutes(scope: SignedInScope, { db, reads, clock }: Deps): void {
  scope.get(
    '/me/keys',
    {
      schema: {
        operationId: 'listMyKeys',
        summary: "List the caller's access keys, newest first",
        response: { 200: list(AccessKey) },
      },
    },
    async ({ caller }) => ({ data: await listKeys(reads, caller.user.id) }),
  )

  scope.post(
    '/me/keys',
    {
      config: {
        needs: 'own.change',
        confirms: true,
        confirmsTokens: true,
        audits: 'access_key.create',
        refusals: ['conflict'],
      },
      schema: {
        operationId: 'makeKey',
        summary: 'Make an access key for a program; its value is shown once',
        body: KeyCreate,
        response: { 200: record(NewAccessKey) },
      },
    },
    async ({ caller, body }) => ({ data: await makeKey(db, caller, body, clock()) }),
  )

  scope.post(
    '/me/keys/:id/rotate',
    {
      config: { needs: 'own.change', confirms: true, confirmsTokens: true, audits: 'access_key.rotate' },
      schema: {
        operationId: 'rotateKey',
        summary: 'Replace an access key; the former value stays valid for a day',
        params: KeyById,
        response: { 200: record(NewAccessKey) },
      },
    },
    async ({ caller, params }) => ({ data: await rotateKey(db, caller, params.id) }),
  )

  scope.delete(
    '/me/keys/:id',
    {
      config: { needs: 'own.change', confirms: true, confirmsTokens: true, audits: 'access_key.end' },
      schema: {
        operationId: 'endMyKey',
        summary: 'Revoke an access key at once',
        params: KeyById,
        response: { 200: record(AccessKey) },
      },
    },
    async ({ caller, params }) => ({ data: await endKey(db, caller, caller.user.id, params.id) }),
  )
}

export function keyAdminRoutes(scope: SignedInScope, { db, reads }: Deps): void {
  scope.get(
    '/admin/users/:userId/keys',
    {
      schema: {
        operationId: 'listUserKeys',
        summary: "List a user's access keys, newest first",
        params: Type.Object({ userId: Id() }),
        response: { 200: list(AccessKey) },
      },
    },
    async ({ params }) => {
      await getUser(reads, params.userId)
      return { data: await listKeys(reads, params.userId) }
    },
  )

  scope.delete(
    '/admin/users/:userId/keys/:id',
    {
      config: { confirms: true, confirmsTokens: true, audits: 'access_key.end' },
      schema: {
        operationId: 'endUserKey',
        summary: 'Revoke an access key of a user at once',
        params: UsersKey,
        response: { 200: record(AccessKey) },
      },
    },
    async ({ caller, params }) => ({ data: await endKey(db, caller, params.userId, params.id) }),
  )
}
