import type { Module } from '../../platform/module.ts'
import { deleteOldHandler, deleteOldSchedule } from './jobs.ts'
import { linksOfPerson } from './personal.ts'
import { exportsAdminRoutes } from './routes.admin.ts'
import { downloadRoutes } from './routes.ts'

export const exports = {
  name: 'exports',
  about: 'Lists of the back-office as files, for browsers',
  routes: { office: exportsAdminRoutes, navigation: downloadRoutes },
  jobs: (deps) => [deleteOldHandler(deps)],
  schedules: [deleteOldSchedule],
  personal: [linksOfPerson],
} satisfies Module
