import { sql } from 'kysely'
import Type from 'typebox'
import { defineJob, handle, schedule } from '../../platform/jobs/job.ts'
import { deletionOf, inBatches } from '../../platform/jobs/sweeps.ts'
import type { Module } from '../../platform/module.ts'
import { deleteOf, findByUser, type Personal, rowsOf } from '../../platform/personal.ts'
import { auditedKey } from './keys.ts'
import { keyAdminRoutes, keyRoutes } from './routes.ts'

const keysOfPerson: Personal = {
  name: 'access_keys',
  title: { en: 'Access keys', fr: 'Clés d’API' },
  erasure: { en: 'Deleted.', fr: 'Supprimées.' },
  kind: null,
  find: findByUser('access_keys'),
  read: rowsOf(
    'access_keys',
    sql`name, scopes, acteur_id, commune_id, app_source, network, created_at, last_used_at, expires_at, ended_at`,
  ),
  erase: deleteOf('access_keys'),
}

const deleteOld = defineJob('keys.delete-old', Type.Object({}))
/** Deletes keys that ended or expired more than 30 days ago. */
const deleteSome = deletionOf(
  'access_keys',
  sql`ended_at < now() - interval '30 days' or expires_at < now() - interval '30 days'`,
)

export const keys = {
  name: 'keys',
  about: 'Access keys that people make for programs',
  routes: { bearer: keyRoutes, admin: { area: 'users', routes: keyAdminRoutes } },
  audited: [auditedKey],
  jobs: {
    handlers: ({ db }) => [
      handle(deleteOld, async (_payload, { signal }) => {
        await inBatches(500, signal, (batch) => deleteSome(db, batch))
      }),
    ],
    schedules: [schedule(deleteOld, '35 3 * * *', {})],
  },
  personal: [keysOfPerson],
} satisfies Module
