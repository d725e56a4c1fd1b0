import type { Deps } from '../../platform/deps.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../platform/http/paging.ts'
import { one } from '../../platform/http/schemas.ts'
import { presentUser } from './present.ts'
import { countUsers, getUser, listUsers, type UserRow } from './queries.ts'
import { addRole, removeRole, updateUser } from './rules.ts'
import { ByUserId, ByUserIdAndRole, RoleBody, User, UserRoles, UsersQuery, UserUpdate } from './schema.ts'

const tags = ['users']

export function usersAdminRoutes(scope: HttpServer, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  scope.get(
    '/admin/users',
    {
      config: { area: 'users' },
      schema: {
        operationId: 'listUsers',
        summary: 'Users, newest first',
        tags,
        querystring: UsersQuery,
        response: { 200: Page(User) },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, adminPerPage)
      const [rows, total] = await Promise.all([listUsers(db, query, paging), countUsers(db, query)])
      return page(rows.map(presentUser), total, paging)
    },
  )

  scope.get(
    '/admin/users/:userId',
    {
      config: { area: 'users' },
      schema: {
        operationId: 'getUser',
        summary: 'Read a user',
        tags,
        params: ByUserId,
        response: { 200: one(User) },
      },
    },
    async ({ params }) => ({ data: presentUser(await getUser(db, params.userId)) }),
  )

  scope.patch(
    '/admin/users/:userId',
    {
      config: { area: 'users', refusals: ['last_admin', 'precondition_failed'] },
      schema: {
        operationId: 'updateUser',
        summary: 'Update a user; the list of acteurs is replaced whole when given',
        tags,
        params: ByUserId,
        body: UserUpdate,
        response: { 200: one(User) },
      },
    },
    async ({ params, body, caller }) => ({
      data: presentUser(await updateUser(db, caller, params.userId, body, clock())),
    }),
  )

  scope.post(
    '/admin/users/:userId/roles',
    {
      config: { area: 'users', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'addUserRole',
        summary: 'Give a user a role; one that it has already changes nothing',
        tags,
        params: ByUserId,
        body: RoleBody,
        response: { 200: one(UserRoles) },
      },
    },
    async ({ params, body, caller }) => rolesOf(await addRole(db, caller, params.userId, body.role)),
  )

  scope.delete(
    '/admin/users/:userId/roles/:role',
    {
      config: { area: 'users', refusals: ['last_admin', 'precondition_failed'] },
      schema: {
        operationId: 'removeUserRole',
        summary: 'Take a role from a user; one that it has not changes nothing',
        tags,
        params: ByUserIdAndRole,
        response: { 200: one(UserRoles) },
      },
    },
    async ({ params, caller }) => rolesOf(await removeRole(db, caller, params.userId, params.role)),
  )
}

const rolesOf = ({ id, roles }: UserRow) => ({ data: { user_id: id, roles } })
