import type { Module } from '../../platform/module.ts'
import { mailAdministratorHandler } from './administrators.ts'
import { usersConstraints } from './constraints.ts'
import { usersErrors } from './errors.ts'
import { activeUsers } from './figures.ts'
import { lapseHandler, lapseSchedule } from './lapse/jobs.ts'
import { accounts } from './personal.ts'
import { user } from './record.ts'
import { usersAdminRoutes } from './routes.admin.ts'
import { usersSearchSource } from './search-source.ts'

export const users = {
  name: 'users',
  about: 'Accounts, their roles and memberships',
  routes: { admin: { area: 'users', routes: usersAdminRoutes } },
  errors: usersErrors,
  constraints: usersConstraints,
  audited: [user],
  jobs: (deps) => [lapseHandler(deps), mailAdministratorHandler(deps)],
  schedules: [lapseSchedule],
  figures: { users: activeUsers },
  personal: [accounts],
  searchSources: [usersSearchSource],
} satisfies Module
