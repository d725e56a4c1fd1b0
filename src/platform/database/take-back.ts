import type { Database } from './connect.ts'

/** What would come of it: the work is done in a transaction and taken back. */
export async function takeBack<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
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
