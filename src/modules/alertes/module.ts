import type { Module } from '../../platform/module.ts'
import { alerteKind } from './audited.ts'
import { alertesConstraints } from './constraints.ts'
import { alertesOfActeurRoutes, alertesOfCommuneRoutes } from './routes.mairie.ts'

export const alertes = {
  name: 'alertes',
  about: 'Municipal alerts (provisional)',
  routes: {
    mairie: [
      { of: 'communeId', routes: alertesOfCommuneRoutes },
      { of: 'acteurId', routes: alertesOfActeurRoutes },
    ],
  },
  constraints: alertesConstraints,
  audited: [alerteKind],
  limits: { alert: '60/hour' },
} satisfies Module
