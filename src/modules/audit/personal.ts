import { sql } from 'kysely'
import { columnList } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import { inPages, type Person, type Personal } from '../../platform/personal.ts'
import { type AuditRow, storedAudit } from './schema.ts'

/**
 * The audit log is never erased, so that its seals stay valid. It holds field names and account ids, which
 * identify nobody after an erasure.
 */

/** Actions of the person. */
export const acts: Personal = {
  name: 'acts',
  read: (db, person) => rowsBy(db, person, 'user_id'),
}

/** Changes to the person's accounts, by anyone. */
export const accountHistory: Personal = {
  name: 'account_history',
  read: (db, person) => rowsBy(db, person, 'entity_id'),
}

async function* rowsBy(db: Database, { userIds }: Person, column: 'user_id' | 'entity_id') {
  // One query per account, so that it uses the index.
  for (const id of userIds) {
    const isTheirs =
      column === 'user_id' ? sql`user_id = ${id}` : sql`entity_id = ${id} and entity in ('user', 'person')`
    yield* inPages<AuditRow>(async (last, limit) => {
      const from = last === null ? sql`true` : sql`(at, id) < (${last.at}, ${last.id})`
      const { rows } = await sql<AuditRow>`
        select ${columnList(storedAudit)} from audit_log where ${isTheirs} and ${from}
        order by at desc, id desc limit ${limit}`.execute(db)
      return rows
    })
  }
}
