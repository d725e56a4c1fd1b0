import type { Module } from '../../platform/module.ts'
import { dashboardAdminRoutes } from './routes.admin.ts'

export const dashboard = {
  name: 'dashboard',
  about: 'Figures of the whole',
  routes: { admin: { area: 'dashboard', routes: dashboardAdminRoutes } },
} satisfies Module
