import type { Database } from './connect.ts'

/** In the caller's transaction where there is one, so that all commits together; else in one of its own. */
export function inTransaction<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}
