import type { Module } from '../../platform/module.ts'
import { digestOfPerson } from './personal.ts'
import { digestSchedule, queueHandler } from './queueing.ts'
import { digestRoutes } from './routes.ts'
import { sendHandler } from './sending.ts'

export const digest = {
  name: 'digest',
  about: 'One mail a working day with what waits',
  routes: { bearer: digestRoutes },
  jobs: (deps) => [queueHandler(deps), sendHandler(deps)],
  schedules: [digestSchedule],
  personal: [digestOfPerson],
} satisfies Module
