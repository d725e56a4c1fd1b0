import type { Module } from '../../platform/module.ts'
import { acteursConstraints } from './constraints.ts'
import { liveActeurs } from './figures.ts'
import { mergeHandler, mergeJob, resumeMergesHandler, resumeMergesSchedule } from './merge/jobs.ts'
import { contactsOfPerson } from './personal.ts'
import { readingRoutes } from './reading.ts'
import { acteur } from './record.ts'
import { acteursAdminRoutes } from './routes.admin.ts'
import { acteursSearchSource } from './search-source.ts'
import { yearRoutes } from './year.ts'

export const acteurs = {
  name: 'acteurs',
  about: 'Associations, shops, town halls and others who act in a commune',
  routes: {
    public: readingRoutes,
    admin: { area: 'acteurs', routes: acteursAdminRoutes },
    office: yearRoutes,
  },
  constraints: acteursConstraints,
  audited: [acteur],
  jobs: (deps) => [mergeHandler(deps), resumeMergesHandler(deps)],
  authoredJobs: [mergeJob.name],
  schedules: [resumeMergesSchedule],
  figures: { acteurs: liveActeurs },
  personal: [contactsOfPerson],
  searchSources: [acteursSearchSource],
} satisfies Module
