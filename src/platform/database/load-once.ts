import type { Database } from './connect.ts'

/** Runs `load` at most once per database: the load and its completion mark are committed together. */
export async function loadOnce(
  db: Database,
  name: string,
  load: (tx: Database) => Promise<void>,
): Promise<boolean> {
  const done = await db.selectFrom('first_loads').select('name').where('name', '=', name).executeTakeFirst()
  if (done !== undefined) return false
  await db.transaction().execute(async (tx) => {
    await load(tx)
    await tx.insertInto('first_loads').values({ name }).execute()
  })
  return true
}
