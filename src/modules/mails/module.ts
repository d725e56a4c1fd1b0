import type { Module } from '../../platform/module.ts'
import { mailsErrors } from './errors.ts'
import { mailsHandlers, mailsSchedules } from './jobs.ts'
import { watchMails } from './metrics.ts'
import { mailsAdminRoutes } from './routes.admin.ts'

export const mails = {
  name: 'mails',
  about: 'What became of the mails of other modules',
  routes: { admin: { area: 'mails', routes: mailsAdminRoutes } },
  errors: mailsErrors,
  jobs: mailsHandlers,
  schedules: mailsSchedules,
  metrics: watchMails,
} satisfies Module
