import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { afterId, inPages, type Person, type Personal } from '../../platform/personal.ts'

type WithId = { id: string }

/** What they wrote for acteurs. It is the acteur's, and stays: who wrote it is a number once the account is erased. */
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

/** Those that they made signed in: of others nobody knows whose they are. */
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

/** That somebody reported, and of what kind it was, stays with the publication. */
async function eraseReports(tx: Database, person: Person): Promise<string[]> {
  const { rows } = await sql<WithId>`
    update publication_reports set reason = null, message = null
    where ${isTheirs(person)} and num_nonnulls(reason, message) > 0
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

const isTheirs = ({ userIds }: Person) => sql<boolean>`
  caller_key = any(${userIds.map((id) => `user ${id}`)}::text[])`
