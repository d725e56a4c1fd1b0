import type { Module } from '../../platform/module.ts'
import { countsRoutes, dashboardAdminRoutes } from './routes.admin.ts'

export const dashboard = {
  name: 'dashboard',
  about: 'Figures of the whole',
  routes: { admin: { area: 'dashboard', routes: dashboardAdminRoutes }, office: countsRoutes },
} satisfies Module
