import type { Module } from '../../platform/module.ts'
import { espaceErrors } from './errors.ts'
import { pageRoutes } from './page.ts'
import { espaceRules } from './permissions.ts'
import { expireHandler, expireSchedule, mailMemberHandler } from './team/jobs.ts'
import { teamRoutes } from './team/routes.ts'

export const espace = {
  name: 'espace',
  about: 'The space of those who run an acteur: its page, its team and, for mairies, their commune',
  routes: {
    bearer(scope, deps) {
      pageRoutes(scope, deps)
      teamRoutes(scope, deps)
    },
  },
  permissions: Object.values(espaceRules),
  errors: espaceErrors,
  jobs: (deps) => [mailMemberHandler(deps), expireHandler(deps)],
  schedules: [expireSchedule],
} satisfies Module
