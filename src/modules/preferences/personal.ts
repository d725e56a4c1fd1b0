import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { afterId, inPages, type Person, type Personal } from '../../platform/personal.ts'

type OwnView = { id: string }

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
  read: async function* (db, { userIds }) {
    const { rows } = await sql<object>`
      select preferences, updated_at from user_preferences where user_id = any(${userIds}::uuid[])`.execute(
      db,
    )
    yield* rows
    yield* inPages<OwnView>(async (last, limit) => {
      const { rows } = await sql<OwnView>`
        select id, list, name, query, role, created_at from saved_views
        where user_id = any(${userIds}::uuid[]) and id > ${afterId(last)} order by id limit ${limit}`.execute(
        db,
      )
      return rows
    })
  },
  erase: erasePreferences,
}

async function erasePreferences(tx: Database, { userIds }: Person): Promise<string[]> {
  await sql`delete from user_preferences where user_id = any(${userIds}::uuid[])`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    delete from saved_views where user_id = any(${userIds}::uuid[]) returning id`.execute(tx)
  return rows.map(({ id }) => id)
}
