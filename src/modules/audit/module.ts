import type { Module } from '../../platform/module.ts'
import { auditAdminRoutes } from './routes.admin.ts'

export const audit = {
  name: 'audit',
  about: 'Who changed what, when',
  routes: { admin: { area: 'audit', routes: auditAdminRoutes } },
} satisfies Module
