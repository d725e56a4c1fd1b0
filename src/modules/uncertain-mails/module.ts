import type { Module } from '../../platform/module.ts'
import { mailsHandlers, mailsSchedules } from './jobs.ts'
import { watchMails } from './metrics.ts'

export const mails = {
  name: 'mails',
  about: 'What became of the mails of other modules',
  jobs: mailsHandlers,
  schedules: mailsSchedules,
  metrics: watchMails,
} satisfies Module
