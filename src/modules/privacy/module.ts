import { sql } from 'kysely'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { Module, RouteDeps } from '../../platform/module.ts'
import { deleteOf, type Person, type Personal, rowsOf } from '../../platform/personal.ts'
import { erasingRoutes } from './erasing.ts'
import { exportHandler, sweepExportsHandler, sweepExportsSchedule } from './exports/jobs.ts'
import { exportRoutes } from './exports/routes.ts'
import { findingRoutes } from './finding.ts'
import { deleteAnswersOf, deleteOldErasures, listResponsesOf } from './queries.ts'
import { person } from './record.ts'

const isTheirs = ({ userIds, emails }: Person) => sql<boolean>`
  (user_ids && ${userIds}::uuid[] or emails && ${emails}::text[])`

/** Exports about the person of the last 24 hours. An erasure deletes them, ready or in progress. */
const exportsOfPerson: Personal = {
  name: 'person_exports',
  title: { en: 'Exports about them', fr: 'Exports à son sujet' },
  erasure: { en: 'Deleted, also in progress.', fr: 'Supprimés, même en cours.' },
  kind: null,
  find: (person) => sql`
    select id::text as id, null::uuid as record_id, null::text as label
    from person_exports where ${isTheirs(person)}`,
  read: rowsOf('person_exports', sql`status, created_at, ready_at, fetched_at, expires_at`, isTheirs),
  erase: deleteOf('person_exports', isTheirs),
}

/** Everything about one person, for administrators. */
function peopleRoutes(scope: SignedInScope, deps: RouteDeps): void {
  findingRoutes(scope, deps)
  exportRoutes(scope, deps)
  erasingRoutes(scope, deps)
}

/** Responses that are stored for a day for retried requests. */
const storedResponses: Personal = {
  name: 'kept_answers',
  title: { en: 'Responses stored for retried requests', fr: 'Réponses gardées pour les requêtes répétées' },
  erasure: { en: 'Deleted.', fr: 'Supprimées.' },
  kind: null,
  find: ({ userIds }) => sql`
    select key as id, null::uuid as record_id, null::text as label
    from idempotent_responses where user_id = any(${userIds}::uuid[])`,
  async *read(db, { userIds }) {
    yield* await listResponsesOf(db, userIds)
  },
  erase: (tx, { userIds }) => deleteAnswersOf(tx, userIds),
}

export const privacy = {
  name: 'privacy',
  about: 'What is stored of a person: found, given to them, and erased',
  routes: { admin: { area: 'privacy', routes: peopleRoutes } },
  audited: [person],
  jobs: {
    handlers: (deps) => [exportHandler(deps), sweepExportsHandler(deps)],
    schedules: [sweepExportsSchedule],
  },
  settings: { limits: { person_export: '20/hour' } },
  personal: [storedResponses, exportsOfPerson],
  retention: [{ name: 'erasures', months: 13, sweep: deleteOldErasures }],
} satisfies Module
