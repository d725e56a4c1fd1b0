import { sql } from 'kysely'
import { columnList } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { inPages, type Person, type Personal } from '../../platform/personal.ts'
import { AuditRow } from './schema.ts'

/*
 * Of the trail nothing is erased, so that its seals stay good: of people it holds the ids of their accounts alone, which
 * after an erasure lead to nobody, and the names of fields.
 */

/** What they did. */
export const acts: Personal = {
  name: 'acts',
  read: (db, person) => rowsBy(db, person, 'user_id'),
}

/** What was done to their accounts, by whomever. */
export const accountHistory: Personal = {
  name: 'account_history',
  read: (db, person) => rowsBy(db, person, 'entity_id'),
}

async function* rowsBy(db: Database, { userIds }: Person, column: 'user_id' | 'entity_id') {
  // Account by account: so it goes by the index.
  for (const id of userIds) {
    const isTheirs =
      column === 'user_id' ? sql`user_id = ${id}` : sql`entity_id = ${id} and entity in ('user', 'person')`
    yield* inPages<AuditRow>(async (last, limit) => {
      const from = last === null ? sql`true` : sql`(at, id) < (${last.at}, ${last.id})`
      const { rows } = await sql<AuditRow>`
        select ${columnList(AuditRow.properties)} from audit_log where ${isTheirs} and ${from}
        order by at desc, id desc limit ${limit}`.execute(db)
      return rows
    })
  }
}
