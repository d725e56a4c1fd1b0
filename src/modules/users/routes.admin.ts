import type { SignedInScope } from '../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { listPresent } from '../presence/queries.ts'
import { getUser, usersList } from './queries.ts'
import { addRole, removeRole, updateUser, withCan } from './rules.ts'
import {
  ByUserId,
  ByUserIdAndRole,
  RoleBody,
  User,
  UserRead,
  UserRoles,
  UsersQuery,
  UserUpdate,
} from './schema.ts'

export function usersAdminRoutes(scope: SignedInScope, { db, reads, lists, clock, jobs }: Deps): void {
  scope.get(
    '/admin/users',
    {
      schema: {
        operationId: 'listUsers',
        summary: 'List users, newest first by default',
        querystring: UsersQuery,
        response: { 200: ListPage(User) },
      },
    },
    async ({ query }) => listPage(lists, usersList, query, (rows) => rows.map(withCan)),
  )

  scope.get(
    '/admin/users/:userId',
    {
      schema: {
        operationId: 'getUser',
        summary: 'Read a user',
        params: ByUserId,
        response: { 200: record(UserRead) },
      },
    },
    async ({ params, caller }) => {
      const [user, present] = await Promise.all([
        getUser(reads, params.userId),
        listPresent(reads, caller, { kind: 'user', id: params.userId }),
      ])
      return { data: { ...withCan(user), present } }
    },
  )

  scope.patch(
    '/admin/users/:userId',
    {
      config: {
        refusals: ['conflict', 'last_admin', 'precondition_failed'],
        audits: 'user.update',
        confirms: ({ body }) => endsSessions(body as UserUpdate),
      },
      schema: {
        operationId: 'updateUser',
        summary: 'Update a user; the list of acteurs is replaced whole when given',
        params: ByUserId,
        body: UserUpdate,
        response: { 200: record(User) },
      },
    },
    async ({ params, body, caller, session }) => ({
      data: await updateUser(db, caller, params.userId, body, clock(), {
        confirmed: session?.isConfirmed ?? true,
        jobs,
      }),
    }),
  )

  scope.post(
    '/admin/users/:userId/roles',
    {
      config: {
        refusals: ['conflict', 'precondition_failed'],
        audits: 'user.role_add',
        confirms: true,
      },
      schema: {
        operationId: 'addUserRole',
        summary: 'Add a role to a user; idempotent',
        params: ByUserId,
        body: RoleBody,
        response: { 200: record(UserRoles) },
      },
    },
    async ({ params, body, caller }) => rolesOf(await addRole(db, caller, params.userId, body.role)),
  )

  scope.delete(
    '/admin/users/:userId/roles/:role',
    {
      config: {
        refusals: ['last_admin', 'precondition_failed'],
        audits: 'user.role_remove',
        confirms: true,
      },
      schema: {
        operationId: 'removeUserRole',
        summary: 'Remove a role from a user; idempotent',
        params: ByUserIdAndRole,
        response: { 200: record(UserRoles) },
      },
    },
    async ({ params, caller }) => rolesOf(await removeRole(db, caller, params.userId, params.role)),
  )
}

const endsSessions = ({ actif, revoke_tokens }: UserUpdate) => actif === false || revoke_tokens === true

const rolesOf = ({ id, roles }: User) => ({ data: { user_id: id, roles } })
