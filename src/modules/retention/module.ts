import type { Module } from '../../platform/module.ts'
import { retentionHandlers, retentionSchedules } from './jobs.ts'
import { watchRetention } from './metrics.ts'

export const retention = {
  name: 'retention',
  about: 'What is kept long enough goes',
  jobs: retentionHandlers,
  schedules: retentionSchedules,
  metrics: watchRetention,
} satisfies Module
