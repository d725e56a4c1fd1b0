import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { deleteOf, isOfUser, type Person, type Personal, rowsOf } from '../../platform/personal.ts'

const readViews = rowsOf('saved_views', sql`list, name, query, role, created_at`)

/** Preferences and saved views of the person; an erasure deletes them. */
export const preferencesOfPerson: Personal = {
  name: 'preferences',
  title: { en: 'Preferences and saved views', fr: 'Préférences et vues enregistrées' },
  erasure: { en: 'Deleted.', fr: 'Supprimées.' },
  kind: null,
  find: ({ userIds }) => sql`
    select user_id::text as id, null::uuid as record_id, null::text as label
    from user_preferences where user_id = any(${userIds}::uuid[])
    union all
    select id::text, null, null from saved_views where user_id = any(${userIds}::uuid[])`,
  read: async function* (db, person) {
    const { rows } = await sql<object>`
      select preferences, updated_at from user_preferences where ${isOfUser()(person)}`.execute(db)
    yield* rows
    yield* readViews(db, person)
  },
  erase: erasePreferences,
}

async function erasePreferences(tx: Database, person: Person): Promise<string[]> {
  await sql`delete from user_preferences where ${isOfUser()(person)}`.execute(tx)
  return deleteOf('saved_views')(tx, person)
}
