import type { Module } from '../../platform/module.ts'
import { mediaErrors } from './errors.ts'
import { managingRoutes } from './managing.ts'
import { mediaRules } from './permissions.ts'
import { mediaOfPerson } from './personal.ts'
import { media as audited } from './record.ts'
import { scanHandler, scanSchedule } from './scanning/job.ts'
import { sendingRoutes } from './sending.ts'
import { mediaSettings } from './settings.ts'
import { storeHandler, storeSchedules } from './store/moving.ts'
import { storeOf } from './store/object-store.ts'
import { sweepHandler, sweepSchedule } from './sweep.ts'

export const media = {
  name: 'media',
  about: 'Pictures and documents',
  routes: {
    bearer: (scope, deps) => {
      sendingRoutes(scope, deps)
      managingRoutes(scope, deps)
    },
  },
  errors: mediaErrors,
  permissions: Object.values(mediaRules),
  audited: [audited],
  jobs: {
    handlers: (deps) => [sweepHandler(deps), storeHandler(deps), scanHandler(deps)],
    schedules: (config) => [sweepSchedule, scanSchedule, ...storeSchedules(config)],
  },
  settings: { own: mediaSettings, limits: { media: '60/hour' } },
  personal: (config) => [mediaOfPerson(storeOf(config))],
} satisfies Module
