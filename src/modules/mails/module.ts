import type { Module } from '../../platform/module.ts'
import { giveUpHandler, giveUpSchedule } from './jobs.ts'

export const mails = {
  name: 'mails',
  about: 'What became of the mails of other modules',
  jobs: (deps) => [giveUpHandler(deps)],
  schedules: [giveUpSchedule],
} satisfies Module
