import type { Module } from '../../platform/module.ts'
import { retentionHandlers, retentionSchedules } from './jobs.ts'
import { watchRetention } from './metrics.ts'

export const retention = {
  name: 'retention',
  about: 'Deletes or anonymises what has been kept long enough',
  jobs: retentionHandlers,
  schedules: retentionSchedules,
  metrics: watchRetention,
} satisfies Module
