import type { Module } from '../../platform/module.ts'
import { recordHandler, recordSchedule } from './recording.ts'

export const transparency = {
  name: 'transparency',
  about: 'Public numbers of what was reported, decided and objected to',
  jobs: { handlers: (deps) => [recordHandler(deps)], schedules: [recordSchedule] },
} satisfies Module
