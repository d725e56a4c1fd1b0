import type { Database } from './connect.ts'

/** Runs work in one transaction, on a pool or on a connection of its own. */
export type Transact = <T>(work: (tx: Database) => Promise<T>) => Promise<T>

export const transactOn =
  (db: Database): Transact =>
  (work) =>
    db.transaction().execute(work)

/** Runs the work in a transaction, rolls it back and returns the result: a preview. */
export async function rollBackAfter<T>(transact: Transact, work: (tx: Database) => Promise<T>): Promise<T> {
  const done = Promise.withResolvers<T>()
  const rollback = new Error('rolled back on purpose')
  await transact(async (tx) => {
    done.resolve(await work(tx))
    throw rollback
  }).catch((error) => {
    if (error !== rollback) throw error
  })
  return done.promise
}
