import type { Module } from '../../platform/module.ts'
import { searchRoutes } from './routes.admin.ts'

export const search = {
  name: 'search',
  about: 'One search over all areas of the back-office',
  routes: { office: searchRoutes },
} satisfies Module
