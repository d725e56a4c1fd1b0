import type { Module } from '../../platform/module.ts'
import { preferencesOfPerson } from './personal.ts'
import { preferencesRoutes } from './routes.ts'

export const preferences = {
  name: 'preferences',
  about: 'What each colleague prefers in the back-office, and saved filters',
  routes: { bearer: preferencesRoutes },
  personal: [preferencesOfPerson],
} satisfies Module
