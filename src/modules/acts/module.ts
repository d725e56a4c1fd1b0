import { notFound } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import type { Module } from '../../platform/module.ts'
import { mairiePaths } from '../acteurs/mairies.ts'
import { actsErrors, cannotSupersede } from './errors.ts'
import { actRules } from './permissions.ts'
import { sampleHandler, sampleSchedules } from './presence/jobs.ts'
import { readingRoutes } from './reading.ts'
import { act } from './record.ts'
import { adminActRoutes } from './routes.admin.ts'
import { actsOfMairieRoutes } from './routes.mairie.ts'
import { stampHandler, stampSchedules } from './timestamps/jobs.ts'
import { timestampSettings } from './timestamps/settings.ts'

/** Maps database constraints to API errors. */
const actsConstraints: ConstraintErrors = {
  // The mairie was deleted while the request was running.
  acts_acteur: notFound,
  // The draft to correct was deleted.
  acts_supersedes: cannotSupersede,
}

export const acts = {
  name: 'acts',
  about: 'Acts that mairies publish by law, with proof',
  routes: {
    public: readingRoutes,
    mairie: [{ of: mairiePaths.publicBody, routes: actsOfMairieRoutes }],
    admin: { area: 'acts', routes: adminActRoutes },
  },
  errors: actsErrors,
  permissions: Object.values(actRules),
  constraints: actsConstraints,
  audited: [act],
  settings: { own: timestampSettings, limits: { act: '120/hour' } },
  jobs: {
    handlers: (deps) => [stampHandler(deps), sampleHandler(deps)],
    schedules: (config) => [...stampSchedules(config), ...sampleSchedules()],
  },
} satisfies Module
