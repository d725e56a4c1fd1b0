import { sql } from 'kysely'
import { afterId, inPages, type Person, type Personal } from '../../../platform/personal.ts'

type Row = { id: string }

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
  read: (db, person) =>
    inPages<Row>(async (last, limit) => {
      const { rows } = await sql<Row>`
        select id, status, created_at, ready_at, fetched_at, expires_at
        from person_exports where ${isTheirs(person)} and id > ${afterId(last)}
        order by id limit ${limit}`.execute(db)
      return rows
    }),
  erase: async (tx, person) => {
    const { rows } = await sql<Row>`
      delete from person_exports where ${isTheirs(person)} returning id`.execute(tx)
    return rows.map(({ id }) => id)
  },
}
