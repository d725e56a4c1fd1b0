import type { Module } from '../../platform/module.ts'
import { eventsRoutes } from './routes.admin.ts'

export const events = {
  name: 'events',
  about: 'What changes in the back-office, as it happens',
  routes: { office: eventsRoutes },
} satisfies Module
