import type { Module } from '../../platform/module.ts'
import { appSourceKind, userKind } from './audited.ts'
import { usersConstraints } from './constraints.ts'
import { usersErrors } from './errors.ts'
import { activeUsers } from './figures.ts'
import { usersAdminRoutes } from './routes.admin.ts'

export const users = {
  name: 'users',
  about: 'Accounts, their roles and memberships',
  routes: { admin: { area: 'users', routes: usersAdminRoutes } },
  errors: usersErrors,
  constraints: usersConstraints,
  audited: [userKind, appSourceKind],
  figures: { users: activeUsers },
} satisfies Module
