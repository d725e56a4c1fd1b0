import type { Module } from '../../platform/module.ts'
import { changesRoutes, deleteOldChangesHandler, deleteOldChangesSchedule } from './changes.ts'

import { publicationsConstraints } from './constraints.ts'
import { correctingAdminRoutes } from './correcting.ts'
import { publicationsDaily, publicationsFigures, publicationsWaiting } from './dashboard.ts'

import { undoPublications } from './decisions/undo.ts'
import { historyAdminRoutes } from './history.ts'
import { choicesAdminRoutes } from './lists/choices.ts'
import { listAdminRoutes } from './lists/routes.admin.ts'
import { listMairieRoutes } from './lists/routes.mairie.ts'
import { myRoutes } from './lists/routes.ts'
import { movePublications } from './merging.ts'
import { moderationAdminRoutes } from './moderation/routes.admin.ts'
import { moderationMairieRoutes } from './moderation/routes.mairie.ts'
import { moderationRoutes } from './moderation/routes.ts'
import { authorMails, mailAuthorHandler } from './notify.ts'
import { publicationRules } from './permissions.ts'
import { publicationsOfPerson, reportsOfPerson, versionsOfPerson } from './personal.ts'
import { findNextChange } from './reading/queries.ts'
import { readingAdminRoutes } from './reading/routes.admin.ts'
import { readingRoutes } from './reading/routes.ts'
import { publication } from './record.ts'
import { reportAdminRoutes } from './reports/routes.admin.ts'
import { reportRoutes } from './reports/routes.ts'
import { deleteClosedReports, deleteOldMails, deleteOldVersions } from './retention.ts'
import { publicationsSearchSource } from './search.ts'
import { similarAdminRoutes } from './similar/routes.admin.ts'
import { writingMairieRoutes } from './writing/routes.mairie.ts'
import { writingRoutes } from './writing/routes.ts'

export const publications = {
  name: 'publications',
  about: 'What associations, shops and town halls publish',
  routes: {
    public: (scope, deps) => {
      readingRoutes(scope, deps)
      changesRoutes(scope, deps)
    },
    publicWrites: reportRoutes,
    bearer: (scope, deps) => {
      writingRoutes(scope, deps)
      moderationRoutes(scope, deps)
      myRoutes(scope, deps)
    },
    mairie: [
      {
        of: 'acteurId',
        routes: (scope, deps) => {
          listMairieRoutes(scope, deps)
          writingMairieRoutes(scope, deps)
          moderationMairieRoutes(scope, deps)
        },
      },
    ],
    admin: {
      area: 'publications',
      routes: (scope, deps) => {
        listAdminRoutes(scope, deps)
        choicesAdminRoutes(scope, deps)
        readingAdminRoutes(scope, deps)
        correctingAdminRoutes(scope, deps)
        historyAdminRoutes(scope, deps)
        moderationAdminRoutes(scope, deps)
        reportAdminRoutes(scope, deps)
        similarAdminRoutes(scope, deps)
      },
    },
  },
  permissions: Object.values(publicationRules),
  constraints: publicationsConstraints,
  audited: [publication],
  jobs: (deps) => [deleteOldChangesHandler(deps), mailAuthorHandler(deps)],
  mails: [authorMails],
  movesOnMerge: [movePublications],
  undoes: { publication: undoPublications },
  schedules: [deleteOldChangesSchedule],
  limits: { create: '60/hour', edit: '120/hour', report: '30/hour', moderate: '600/minute' },
  figures: publicationsFigures,
  // An acteur that is shown again shows what is scheduled too.
  changesByTime: { publications: { with: ['publications', 'acteurs'], find: findNextChange } },
  personal: [publicationsOfPerson, versionsOfPerson, reportsOfPerson],
  retention: [
    { name: 'reports', months: 12, sweep: deleteClosedReports },
    { name: 'mails', months: 3, sweep: deleteOldMails },
    { name: 'versions', months: 24, sweep: deleteOldVersions },
  ],
  daily: publicationsDaily,
  waiting: publicationsWaiting,
  searchSources: [publicationsSearchSource],
} satisfies Module
