import type { Database } from './connect.ts'

/** Runs the work in a transaction, rolls it back and returns the result: a preview. */
export async function rollBackAfter<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  const done = Promise.withResolvers<T>()
  const isDone = new Error('taken back')
  await db
    .transaction()
    .execute(async (tx) => {
      done.resolve(await work(tx))
      throw isDone
    })
    .catch((error) => {
      if (error !== isDone) throw error
    })
  return done.promise
}
