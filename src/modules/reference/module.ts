import type { Module } from '../../platform/module.ts'
import { referenceRoutes } from './routes.admin.ts'
import { publicationType } from './rules.ts'
import { appSource } from './sources/rules.ts'

export const reference = {
  name: 'reference',
  about: 'Publication types, and the applications that may call',
  routes: { admin: { area: 'reference', routes: referenceRoutes } },
  audited: [publicationType, appSource],
} satisfies Module
