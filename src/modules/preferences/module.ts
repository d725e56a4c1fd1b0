import type { Module } from '../../platform/module.ts'
import { preferencesErrors, viewNameTaken } from './errors.ts'
import { preferencesOfPerson } from './personal.ts'
import { preferencesRoutes } from './routes.ts'

export const preferences = {
  name: 'preferences',
  about: 'What each colleague prefers in the back-office, and saved filters',
  routes: { bearer: preferencesRoutes },
  errors: preferencesErrors,
  constraints: { saved_views_named: viewNameTaken },
  personal: [preferencesOfPerson],
} satisfies Module
