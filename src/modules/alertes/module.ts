import type { Module } from '../../platform/module.ts'
import { alertesConstraints } from './constraints.ts'
import { alertesOfPerson } from './personal.ts'
import { alerte } from './record.ts'
import { alertesOfActeurRoutes, alertesOfCommuneRoutes } from './routes.mairie.ts'
import { alertesInForceRoutes } from './routes.ts'

export const alertes = {
  name: 'alertes',
  about: 'Municipal alerts (provisional)',
  routes: {
    public: alertesInForceRoutes,
    mairie: [
      { of: 'communeId', routes: alertesOfCommuneRoutes },
      { of: 'acteurId', routes: alertesOfActeurRoutes },
    ],
  },
  constraints: alertesConstraints,
  audited: [alerte],
  limits: { alert: '60/hour' },
  personal: [alertesOfPerson],
} satisfies Module
