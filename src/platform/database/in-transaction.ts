import type { Database } from './connect.ts'

/** Joins the caller's transaction when there is one, and otherwise opens a new one. */
export function inTransaction<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}
