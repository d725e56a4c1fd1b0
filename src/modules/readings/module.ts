import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'
import type { Module } from '../../platform/module.ts'
import { moveReadings } from './queries.ts'
import { readingsAdminRoutes, readingsRoutes } from './routes.ts'

export const readings = {
  name: 'readings',
  about: 'How often the pages of the public site are read',
  routes: { bearer: readingsRoutes, admin: { area: 'publications', routes: readingsAdminRoutes } },
  movesOnMerge: [moveReadings],
  retention: [{ name: 'readings', months: 24, sweep: deletionAfterMonths('readings', 'day', 'ctid') }],
} satisfies Module
