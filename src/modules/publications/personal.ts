import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { afterId, inPages, type Person, type Personal } from '../../platform/personal.ts'
import { isReplaced } from './history/queries.ts'

type WithId = { id: string }

/**
 * Publications the person wrote for acteurs. They belong to the acteur and stay; after an erasure the author
 * is a number.
 */
export const publicationsOfPerson: Personal = {
  name: 'publications',
  read: (db, { userIds }) =>
    inPages<WithId>(async (last, limit) => {
      const { rows } = await sql<WithId>`
        select id, acteur_id, title, body, source_url, image_url, moderation_status, created_at, deleted_at
        from publications where created_by = any(${userIds}::uuid[]) and id > ${afterId(last)}
        order by id limit ${limit}`.execute(db)
      return rows
    }),
}

/** Versions the person wrote. An erasure deletes them, except the newest, which is the current text. */
export const versionsOfPerson: Personal = {
  name: 'publication_versions',
  read: (db, { userIds }) =>
    inPages<WithId>(async (last, limit) => {
      const { rows } = await sql<WithId>`
        select id, publication_id, title, body, written_at, how
        from publication_versions where written_by = any(${userIds}::uuid[]) and id > ${afterId(last)}
        order by id limit ${limit}`.execute(db)
      return rows
    }),
  erase: async (tx, { userIds }) => {
    const { rows } = await sql<WithId>`
      delete from publication_versions v where v.written_by = any(${userIds}::uuid[]) and ${isReplaced}
      returning v.id`.execute(tx)
    return rows.map(({ id }) => id)
  },
}

/** Reports made while signed in: anonymous ones cannot be attributed. */
export const reportsOfPerson: Personal = {
  name: 'reports',
  read: (db, person) =>
    inPages<WithId>(async (last, limit) => {
      const { rows } = await sql<WithId>`
        select id, publication_id, category, reason, message, created_at, closed_at
        from publication_reports where ${isTheirs(person)} and id > ${afterId(last)}
        order by id limit ${limit}`.execute(db)
      return rows
    }),
  erase: eraseReports,
}

/** Deletes the free text; the report and its category stay with the publication. */
async function eraseReports(tx: Database, person: Person): Promise<string[]> {
  const { rows } = await sql<WithId>`
    update publication_reports set reason = null, message = null
    where ${isTheirs(person)} and num_nonnulls(reason, message) > 0
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

const isTheirs = ({ userIds }: Person) => sql<boolean>`
  caller_key = any(${userIds.map((id) => `user ${id}`)}::text[])`
