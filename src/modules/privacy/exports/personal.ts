import { sql } from 'kysely'
import { deleteOf, type Person, type Personal, rowsOf } from '../../../platform/personal.ts'

const isTheirs = ({ userIds, emails }: Person) => sql<boolean>`
  (user_ids && ${userIds}::uuid[] or emails && ${emails}::text[])`

/** Exports about the person of the last 24 hours. An erasure deletes them, ready or in progress. */
export const exportsOfPerson: Personal = {
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
