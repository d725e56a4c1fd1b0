import type { Module } from '../../platform/module.ts'
import { templatesConstraints } from './constraints.ts'
import { template } from './record.ts'
import { templatesRoutes } from './routes.admin.ts'

export const templates = {
  name: 'templates',
  about: 'Texts that colleagues reuse for rejections, claims and replies',
  routes: { office: templatesRoutes },
  constraints: templatesConstraints,
  audited: [template],
} satisfies Module
